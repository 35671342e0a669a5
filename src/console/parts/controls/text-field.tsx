import { Field } from './field.tsx'

interface TextFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly hint?: string
  readonly error?: string | undefined
  /** Whether a number is typed into it; what is no number is for the sandbox to refuse. */
  readonly isNumber?: boolean
}

/** A field for a line of text. */
export function TextField({ value, onChange, isNumber, ...field }: TextFieldProps) {
  return (
    <Field {...field}>
      {(input) => (
        <input
          {...input}
          inputMode={isNumber ? 'numeric' : undefined}
          autocomplete="off"
          spellcheck={false}
          value={value}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Field>
  )
}
