import { numberTyped } from '../model/number-typed.ts'
import { TextField } from '../parts/controls/text-field.tsx'

/** What each window admits, as it was typed. */
export interface TypedLimits {
  readonly minute: string
  readonly day: string
}

interface LimitsFieldsProps {
  readonly value: TypedLimits
  readonly onChange: (value: TypedLimits) => void
  readonly hint?: string
  readonly errors: ReadonlyMap<string, string>
}

/** Two fields for how many requests each window admits. */
export function LimitsFields({ value, onChange, hint, errors }: LimitsFieldsProps) {
  return (
    <div class="fields">
      {(['minute', 'day'] as const).map((name) => (
        <TextField
          key={name}
          label={`Requests in a ${name}`}
          {...(hint === undefined ? {} : { hint })}
          error={errors.get(name)}
          isNumber
          value={value[name]}
          onChange={(text) => onChange({ ...value, [name]: text })}
        />
      ))}
    </div>
  )
}

/**
 * The limits that were typed, those left empty left out.
 *
 * @throws `InputError` for what is no number.
 */
export function limitsTyped({ minute, day }: TypedLimits): { minute?: number; day?: number } {
  return {
    ...(minute.trim() === '' ? {} : { minute: numberTyped('key.limits.minute', minute) }),
    ...(day.trim() === '' ? {} : { day: numberTyped('key.limits.day', day) }),
  }
}
