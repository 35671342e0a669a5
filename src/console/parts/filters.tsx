import { formatCount } from '../../mock/input/values.ts'
import { Sign } from './sign.tsx'

interface SegmentsProps<Name extends string> {
  readonly label: string
  readonly choices: readonly {
    readonly name: Name
    readonly text: string
    readonly hint: string
    readonly count: number
  }[]
  readonly chosen: readonly Name[]
  readonly onChange: (chosen: readonly Name[]) => void
}

/** A group of toggle buttons, each with its count; a button whose count is 0 is disabled. */
export function Segments<Name extends string>(props: SegmentsProps<Name>) {
  const { label, choices, chosen, onChange } = props
  return (
    <fieldset class="segments">
      <legend class="unseen">{label}</legend>
      {choices.map(({ name, text, hint, count }) => {
        const isChosen = chosen.includes(name)
        return (
          <button
            key={name}
            type="button"
            class="segment"
            aria-pressed={isChosen}
            disabled={count === 0 && !isChosen}
            title={hint}
            onClick={() =>
              onChange(isChosen ? chosen.filter((one) => one !== name) : [...chosen, name])
            }
          >
            {isChosen ? <Sign name="check" /> : null}
            {text} <span class="count">{formatCount(count)}</span>
          </button>
        )
      })}
    </fieldset>
  )
}

interface ChipProps {
  readonly text: string
  /** Label of the ✕ button. */
  readonly remove: string
  readonly onRemove: () => void
  readonly href?: string | undefined
  readonly tone?: 'plain' | 'warning'
}

/** A setting in force, with ✕ to remove it. */
export function Chip({ text, remove, onRemove, href, tone = 'plain' }: ChipProps) {
  return (
    <span class={`chip ${tone}`}>
      {href === undefined ? <span class="chip-text">{text}</span> : <a href={href}>{text}</a>}
      <button type="button" aria-label={remove} title={remove} onClick={onRemove}>
        <Sign name="close" />
      </button>
    </span>
  )
}

interface SearchInputProps {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly onInput: (text: string) => void
}

/** A search field. */
export function SearchInput({ label, placeholder, value, onInput }: SearchInputProps) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={placeholder}
      value={value}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  )
}
