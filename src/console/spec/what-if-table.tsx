import { countText } from '../../checks/reports/text.ts'
import { gaps } from '../../mock/api/gaps.ts'
import type { WhatIf } from '../../sandbox/controls/what-if.ts'
import { linkTo } from '../model/route.ts'
import { Button } from '../parts/button.tsx'
import { RequestLinks } from '../parts/request-links.tsx'
import { Sign } from '../parts/sign.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { effectsIn } from './gap-texts.ts'

interface WhatIfTableProps {
  readonly found: WhatIf
  readonly onClose: () => void
}

type Effect = ReturnType<typeof effectsIn>[number]

const columns: readonly Column<Effect>[] = [
  {
    name: 'gap',
    title: 'Gap',
    isHeader: true,
    cell: ({ name }) => <a href={linkTo('spec', [gaps[name].spec])}>{name}</a>,
  },
  { name: 'value', title: 'Value', cell: ({ value }) => <code>{value}</code> },
  { name: 'count', title: 'Differ', isNumber: true, cell: ({ count }) => count },
  { name: 'ids', title: 'Requests', cell: ({ ids }) => <RequestLinks ids={ids} /> },
]

/** Gap values that would have changed responses so far, those of most requests first. */
export function WhatIfTable({ found, onClose }: WhatIfTableProps) {
  const effects = effectsIn(found)
  const count = new Set(effects.map(({ name }) => name)).size
  return (
    <section class="box stack what-if" aria-labelledby="what-if">
      <header class="bar">
        <h2 id="what-if" class="grow">
          {countText(count, 'gap')}{' '}
          <span class="hint">
            {count === 1 ? 'changes' : 'change'} a response to{' '}
            {countText(found.requests, 'request')}
          </span>
        </h2>
        <Button kind="quiet" label="Close" onClick={onClose}>
          <Sign name="close" />
        </Button>
      </header>
      {effects.length === 0 ? null : (
        <Table
          caption="Gap values that would have changed a response"
          columns={columns}
          rows={effects}
          keyOf={({ name, value }) => `${name} ${value}`}
        />
      )}
    </section>
  )
}
