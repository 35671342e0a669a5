import { useId } from 'preact/hooks'
import type { CoverageReport } from '../../coverage/coverage-report.ts'
import { Badge } from '../parts/badge.tsx'
import { CopyButton } from '../parts/controls/copy-button.tsx'
import { Meter } from '../parts/meter.tsx'
import { type Column, Table } from '../parts/table.tsx'

type TierName = keyof CoverageReport['tiers']

type Tier = CoverageReport['tiers'][TierName]

type Cell = Tier['cells'][number]

/** What is counted in each tier. */
const abouts: Readonly<Record<TierName, string>> = {
  outcomes: 'Replies that the interface documents, by operation and status.',
  values: 'What a request may choose, and what a reply may contain.',
  situations: 'What a client has to cope with: limits, bans, keys that end, removals, faults.',
  gaps: 'Choices at gaps, each met if it was in force and an answer depended on it.',
}

interface CoverageTierProps {
  readonly name: TierName
  readonly tier: Tier
  /** Show only these cells. */
  readonly only: 'open' | 'met' | undefined
}

/** One tier of the coverage: each cell met, and by which test, or with the line that brings it about. */
export function CoverageTier({ name, tier, only }: CoverageTierProps) {
  const id = useId()
  const shown = tier.cells.filter(({ met }) => only === undefined || met === (only === 'met'))
  return (
    <section class="box tier" aria-labelledby={id}>
      <header>
        <h2 id={id}>{name}</h2>
        <p class="hint">{abouts[name]}</p>
        <Meter label="Met" value={tier.met} most={tier.all} text={`${tier.met} of ${tier.all}`} />
      </header>
      {shown.length === 0 ? (
        <p class="hint none">{only === 'met' ? 'None is met.' : 'None is open.'}</p>
      ) : (
        <div class="stacked">
          <Table caption={`Coverage: ${name}`} columns={columns} rows={shown} keyOf={nameOf} />
        </div>
      )}
    </section>
  )
}

function nameOf({ cell }: Cell): string {
  return cell
}

const columns: readonly Column<Cell>[] = [
  { name: 'cell', title: 'What', isHeader: true, cell: nameOf },
  {
    name: 'state',
    title: 'State',
    cell: ({ met }) => <Badge tone={met ? 'good' : 'info'} text={met ? 'met' : 'open'} />,
  },
  {
    name: 'why',
    title: 'By which test, or how to bring it about',
    cell: ({ met, by, how }) => {
      if (met) return by === undefined ? '' : `by ${by}`
      return (
        <div class="how">
          <code>{how}</code>
          <CopyButton what="line" text={() => how} />
        </div>
      )
    },
  },
]
