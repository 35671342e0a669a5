import { diffArrays } from 'diff'

interface DiffViewProps {
  readonly before: string
  readonly after: string
  readonly names: readonly [before: string, after: string]
}

/** Number of equal lines shown beside a difference. */
const context = 2

/** Compares two texts line by line; equal lines are collapsed. */
export function DiffView({ before, after, names }: DiffViewProps) {
  if (before === after) return <p>Nothing differs.</p>
  const changes = diffArrays(before.split('\n'), after.split('\n'))
  const count = changes.flatMap(({ added, removed, value }) =>
    added || removed ? value : [],
  ).length
  return (
    <div class="stack">
      <p class="hint">
        <span class="pill error">− {names[0]}</span> <span class="pill good">+ {names[1]}</span>{' '}
        {count === 1 ? '1 line differs' : `${count} lines differ`}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it may scroll */}
      <section class="diff mono" aria-label="Differences" tabIndex={0}>
        {changes.map(({ value, added, removed }, at) => {
          if (added) return <Lines key={at} kind="added" lines={value} />
          if (removed) return <Lines key={at} kind="removed" lines={value} />
          const [first, last] = [at === 0 ? 0 : context, at === changes.length - 1 ? 0 : context]
          const left = value.length - first - last
          if (left < 2) return <Lines key={at} kind="same" lines={value} />
          return (
            <div key={at}>
              <Lines kind="same" lines={value.slice(0, first)} />
              <p class="hint">⋯ {left} lines are the same</p>
              <Lines kind="same" lines={last === 0 ? [] : value.slice(-last)} />
            </div>
          )
        })}
      </section>
    </div>
  )
}

const marks = { added: ['+', 'ins'], removed: ['−', 'del'], same: [' ', 'span'] } as const

function Lines({ kind, lines }: { kind: keyof typeof marks; lines: readonly string[] }) {
  const [mark, Tag] = marks[kind]
  return (
    <>
      {lines.map((line, at) => (
        <Tag key={at} class={`line ${kind}`}>
          {mark} {line}
        </Tag>
      ))}
    </>
  )
}
