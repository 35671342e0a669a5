import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

/** What the input within a field is given. */
export interface InputProps {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean | undefined
}

interface FieldProps {
  readonly label: string
  readonly hint?: string | undefined
  /** What is wrong with the value, in words. */
  readonly error?: string | undefined
  readonly children: (input: InputProps) => ComponentChildren
}

/** An input with its label, its hint, and what is wrong with its value; it takes the focus when that is said. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId()
  const said = error ?? hint
  const field = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (error !== undefined) field.current?.querySelector<HTMLElement>('input, select')?.focus()
  }, [error])
  return (
    <div ref={field} class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-describedby': said === undefined ? undefined : `${id}-said`,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {said === undefined ? null : (
        <p id={`${id}-said`} class={error === undefined ? 'hint' : 'field-error'}>
          {said}
        </p>
      )}
    </div>
  )
}
