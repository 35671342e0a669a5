import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks'
import { InputError } from '../../mock/input/input-error.ts'
import { isRecord } from '../../mock/input/record.ts'
import type { ConsoleClient } from '../live/console-client.ts'
import { useConsole } from '../live/console-context.ts'
import { Button } from './button.tsx'

/** What was typed into a form, by the names of its fields; what is empty is left out. */
export type Typed = Readonly<Record<string, string>>

/** Why a form was refused, and at which of its fields; `undefined` for what concerns none of them. */
interface ValidationError {
  readonly field: string | undefined
  readonly message: string
}

const RefusalContext = createContext<ValidationError | undefined>(undefined)

interface DataFormProps<Input> {
  readonly label: string
  /** What the button says that sends the form, such as `Add it`. */
  readonly verb: string
  /** What to say when it is done; nothing by default. */
  readonly done?: string
  /** Given what was typed, unchecked: the sandbox says what is wrong with it. */
  readonly send: (client: ConsoleClient, input: Input) => Promise<unknown>
  /** Called when it is done, or left by *Cancel*, which there is in a dialog only. */
  readonly onClose?: () => void
  /** Called when it is done. */
  readonly onDone?: () => void
  readonly children: ComponentChildren
}

/** A form that a control takes. Its fields are named after the input; a refusal is shown at the field of its path. */
export function DataForm<Input = Typed>(props: DataFormProps<Input>) {
  const { label, verb, done, send, onClose, onDone, children } = props
  const { client, store, notices } = useConsole()
  const isSending = useRef(false)
  const [refusal, setRefusal] = useState<ValidationError | undefined>(undefined)
  const submit = async (form: HTMLFormElement): Promise<void> => {
    // A second click asks for nothing more. The button stays enabled, or it would lose the focus.
    if (isSending.current) return
    isSending.current = true
    setRefusal(undefined)
    try {
      await send(client, inputOf(form) as Input)
      if (done !== undefined) notices.add('done', done)
      onClose?.()
      onDone?.()
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      const path = error instanceof InputError ? error.path.join('.') : ''
      setRefusal({ field: fieldAt(path, form), message })
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
      <RefusalContext.Provider value={refusal}>{children}</RefusalContext.Provider>
      {refusal === undefined || refusal.field !== undefined ? null : (
        <p class="field-error" role="alert">
          {refusal.message}
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

/** What was typed, by where it stands in the input, with numbers as such; what is empty is left out. */
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

/** The field that a path names, or that it is a part of, or else the first one that is a part of it. */
function fieldAt(path: string, form: HTMLFormElement): string | undefined {
  const names = [...form.elements].flatMap((one) => one.getAttribute('name') ?? [])
  return (
    names.find((name) => `${path}.`.startsWith(`${name}.`)) ??
    (path === '' ? undefined : names.find((name) => name.startsWith(`${path}.`)))
  )
}

/** What the input within a field is given. */
interface InputProps {
  readonly id: string
  readonly name: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean | undefined
}

interface FieldProps {
  /** Where it stands in the input, such as `limits.minute`. */
  readonly name: string
  readonly label: string
  readonly hint?: string | undefined
}

interface LabelledProps extends FieldProps {
  readonly children: (input: InputProps) => ComponentChildren
}

/** An input with its label, its hint, and why its value was refused; it takes the focus when that is said. */
function Field({ name, label, hint, children }: LabelledProps) {
  const refusal = useContext(RefusalContext)
  const error = refusal?.field === name ? refusal.message : undefined
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
  /** What it begins with. */
  readonly value?: string | undefined
  readonly type?: 'number' | 'password' | 'datetime-local'
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
        if (type === 'datetime-local') return <input {...input} type="datetime-local" />
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
  /** What can be chosen: the value, and its text where that says more. */
  readonly options: readonly (string | readonly [value: string, text: string])[]
  readonly value?: string | undefined
  readonly onChange?: (value: string) => void
}

/** A field for one of several choices. */
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
