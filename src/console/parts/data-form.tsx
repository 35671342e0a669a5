import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks'
import { InputError } from '../../mock/input/input-error.ts'
import { isRecord } from '../../mock/input/record.ts'
import type { ConsoleClient } from '../live/console-client.ts'
import { useConsole } from '../live/console-context.ts'
import { Button } from './button.tsx'

/** Values typed into a form, by field name; empty fields are left out. */
export type Typed = Readonly<Record<string, string>>

/** Error of a form and the field that it belongs to; `undefined` if it belongs to none of the fields. */
interface ValidationError {
  readonly field: string | undefined
  readonly message: string
}

const RejectionContext = createContext<ValidationError | undefined>(undefined)

interface DataFormProps<Input> {
  readonly label: string
  /** Text of the submit button, such as `Add it`. */
  readonly verb: string
  /** Notice on success; none by default. */
  readonly done?: string
  /** Sends the input, which only the sandbox validates. */
  readonly send: (client: ConsoleClient, input: Input) => Promise<unknown>
  /** Called on success, or on *Cancel*, which only a dialog has. */
  readonly onClose?: () => void
  /** Called on success. */
  readonly onDone?: () => void
  readonly children: ComponentChildren
}

/**
 * Form that sends its input to a control. The names of its fields are those of the input; a validation error is shown
 * at the field of its path.
 */
export function DataForm<Input = Typed>(props: DataFormProps<Input>) {
  const { label, verb, done, send, onClose, onDone, children } = props
  const { client, store, notices } = useConsole()
  const isSending = useRef(false)
  const [rejection, setRejection] = useState<ValidationError | undefined>(undefined)
  const submit = async (form: HTMLFormElement): Promise<void> => {
    // Ignores a second click. The button stays enabled, since disabling it would lose the focus.
    if (isSending.current) return
    isSending.current = true
    setRejection(undefined)
    try {
      // The names of the fields are those of the input; the sandbox rejects wrong values.
      await send(client, inputOf(form) as Input)
      if (done !== undefined) notices.add('done', done)
      onClose?.()
      onDone?.()
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      const path = error instanceof InputError ? error.path.join('.') : ''
      setRejection({ field: fieldAt(path, form), message })
    } finally {
      isSending.current = false
      void store.refresh()
    }
  }
  return (
    <form
      class="stack wide"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        void submit(event.currentTarget)
      }}
    >
      <RejectionContext.Provider value={rejection}>{children}</RejectionContext.Provider>
      {rejection === undefined || rejection.field !== undefined ? null : (
        <p class="field-error" role="alert">
          {rejection.message}
        </p>
      )}
      <div class="group">
        <Button kind="primary" type="submit">
          {verb}
        </Button>
        {onClose === undefined ? null : <Button onClick={onClose}>Cancel</Button>}
      </div>
    </form>
  )
}

/** Returns the typed values, nested by field name, with numbers converted; empty fields are left out. */
function inputOf(form: HTMLFormElement): object {
  const input: Record<string, unknown> = {}
  for (const [name, value] of new FormData(form)) {
    if (typeof value !== 'string' || value.trim() === '') continue
    const isNumber = form.querySelector(`[type="number"][name="${name}"]`) !== null
    const [outer = '', inner] = name.split('.')
    const known = input[outer]
    const given = isNumber ? Number(value) : value
    input[outer] =
      inner === undefined ? given : { ...(isRecord(known) ? known : {}), [inner]: given }
  }
  return input
}

/** Returns the field that a path names or lies within, or else the first field within the path. */
function fieldAt(path: string, form: HTMLFormElement): string | undefined {
  const names = [...form.elements].flatMap((one) => one.getAttribute('name') ?? [])
  return (
    names.find((name) => `${path}.`.startsWith(`${name}.`)) ??
    (path === '' ? undefined : names.find((name) => name.startsWith(`${path}.`)))
  )
}

/** Props of the input in a field. */
interface InputProps {
  readonly id: string
  readonly name: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean | undefined
}

interface FieldProps {
  /** Path of the field in the input, such as `limits.minute`. */
  readonly name: string
  readonly label: string
  readonly hint?: string | undefined
}

interface LabelledProps extends FieldProps {
  readonly children: (input: InputProps) => ComponentChildren
}

/** An input with its label, its hint and its validation error; it gets the focus when an error appears. */
function Field({ name, label, hint, children }: LabelledProps) {
  const rejection = useContext(RejectionContext)
  const error = rejection?.field === name ? rejection.message : undefined
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
        name,
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

interface TextInputProps extends FieldProps {
  /** Initial value. */
  readonly value?: string | undefined
  readonly type?: 'number' | 'password'
  readonly required?: boolean
  readonly min?: number
  readonly max?: number
  readonly step?: 'any' | 1
}

/** A field for a line of text, a number or an instant. */
export function TextInput(props: TextInputProps) {
  const { name, label, hint, value = '', type, ...attributes } = props
  return (
    <Field name={name} label={label} hint={hint}>
      {(given) => {
        const shared = { autocomplete: 'off', spellcheck: false, defaultValue: value } as const
        const input = { ...given, ...attributes, ...shared }
        if (type === 'number') return <input {...input} type="number" />
        return type === 'password' ? <input {...input} type="password" /> : <input {...input} />
      }}
    </Field>
  )
}

/** A field for several lines of text. */
export function TextArea({ name, label, hint, value = '' }: FieldProps & { value?: string }) {
  return (
    <Field name={name} label={label} hint={hint}>
      {(given) => <textarea {...given} rows={2} spellcheck={false} defaultValue={value} />}
    </Field>
  )
}

interface SelectProps extends FieldProps {
  /** Options: the value, and its text if it differs. */
  readonly options: readonly (string | readonly [value: string, text: string])[]
  readonly value?: string | undefined
  readonly onChange?: (value: string) => void
}

/** A field for one of several options. */
export function Select({ name, label, hint, options, value, onChange }: SelectProps) {
  return (
    <Field name={name} label={label} hint={hint}>
      {(input) => (
        <select {...input} onChange={({ currentTarget }) => onChange?.(currentTarget.value)}>
          {options.map((option) => {
            const [one, text] = typeof option === 'string' ? [option, option] : option
            return (
              <option key={one} value={one} selected={one === value}>
                {text}
              </option>
            )
          })}
        </select>
      )}
    </Field>
  )
}
