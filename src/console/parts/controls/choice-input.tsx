import type { GapName } from '../../../contract/gaps.ts'
import { defaultChoice, listedChoices } from '../../situations/gap-texts.ts'
import type { InputProps } from './field.tsx'

interface ChoiceInputProps {
  readonly gap: GapName
  readonly value: string
  readonly onChange: (text: string) => void
  readonly input: Partial<InputProps>
  readonly label?: string
}

/** Chooses at a gap: one of its choices, the default marked, or a text where there are too many to list. */
export function ChoiceInput({ gap, value, onChange, input, label }: ChoiceInputProps) {
  const choices = listedChoices(gap)
  const usual = defaultChoice(gap)
  if (choices.length === 0) {
    return (
      <input
        {...input}
        aria-label={label}
        required
        autocomplete="off"
        spellcheck={false}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )
  }
  return (
    <select
      {...input}
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {choice === usual ? `${choice} (default)` : choice}
        </option>
      ))}
    </select>
  )
}
