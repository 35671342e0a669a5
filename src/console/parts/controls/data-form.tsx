import { type ComponentChildren, createContext } from 'preact'
import { useContext, useRef, useState } from 'preact/hooks'
import { InputError } from '../../../input/input-error.ts'
import type { ConsoleClient } from '../../live/console-client.ts'
import { useConsole } from '../../live/console-context.ts'
import { Button } from './button.tsx'
import { Field } from './field.tsx'

/** What was typed into a form, by the names of its fields; what is empty is left out. */
export type Typed = Readonly<Record<string, string>>

/** Why a form was refused, and at which of its fields; `undefined` for what concerns none of them. */
interface Refusal {
  readonly field: string | undefined
  readonly message: string
}

const RefusalContext = createContext<Refusal | undefined>(undefined)

interface DataFormProps {
  readonly label: string
  /** What the button says that sends the form, such as `Add it`. */
  readonly verb: string
  /** What to say when it is done; nothing by default. */
  readonly done?: string
  readonly send: (client: ConsoleClient, typed: Typed) => Promise<unknown>
  /** Called when it is done, or left by *Cancel*, which there is in a dialog only. */
  readonly onClose?: () => void
  /** Called when it is done. */
  readonly onDone?: () => void
  readonly children: ComponentChildren
}

/** A form that a control takes. Its fields are named after the input; a refusal is shown at the field of its path. */
export function DataForm(props: DataFormProps) {
  const { label, verb, done, send, onClose, onDone, children } = props
  const { client, store, notices } = useConsole()
  const isSending = useRef(false)
  const [refusal, setRefusal] = useState<Refusal | undefined>(undefined)
  const submit = async (form: HTMLFormElement): Promise<void> => {
    // A second click asks for nothing more. The button stays enabled, or it would lose the focus.
    if (isSending.current) return
    isSending.current = true
    setRefusal(undefined)
    try {
      await send(client, typedInto(form))
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

/** What a form has now. */
export function typedInto(form: HTMLFormElement): Typed {
  const texts = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' && value.trim() !== '' ? [[name, value] as const] : [],
  )
  return Object.fromEntries(texts)
}

/** The field that a path names, or that it is a part of, or else the first one that is a part of it. */
function fieldAt(path: string, form: HTMLFormElement): string | undefined {
  const names = [...form.elements].flatMap((one) => one.getAttribute('name') ?? [])
  return (
    names.find((name) => `${path}.`.startsWith(`${name}.`)) ??
    (path === '' ? undefined : names.find((name) => name.startsWith(`${path}.`)))
  )
}

interface NamedProps {
  /** Where it stands in the input, such as `limits.minute`. */
  readonly name: string
  readonly label: string
  readonly hint?: string | undefined
}

function useRefusal(name: string): string | undefined {
  const refusal = useContext(RefusalContext)
  return refusal?.field === name ? refusal.message : undefined
}

interface TextInputProps extends NamedProps {
  /** What it begins with. */
  readonly value?: string | undefined
  /** `number` lets nothing else be typed. */
  readonly type?: 'number' | 'password'
  readonly required?: boolean
  readonly min?: number
  readonly max?: number
  readonly step?: 'any'
  readonly pattern?: string
}

/** A field for a line of text, or for a number. */
export function TextInput(props: TextInputProps) {
  const { name, label, hint, value = '', type, ...attributes } = props
  const error = useRefusal(name)
  return (
    <Field label={label} hint={hint} error={error}>
      {(given) => {
        const shared = { autocomplete: 'off', spellcheck: false, defaultValue: value } as const
        const input = { ...given, ...attributes, ...shared, name }
        if (type === 'number') return <input {...input} type="number" />
        return type === 'password' ? <input {...input} type="password" /> : <input {...input} />
      }}
    </Field>
  )
}

interface SelectProps extends NamedProps {
  /** What can be chosen: the value, and its text where that says more. */
  readonly options: readonly (string | readonly [value: string, text: string])[]
  readonly value?: string | undefined
  readonly onChange?: (value: string) => void
}

/** A field for one of several choices. */
export function Select({ name, label, hint, options, value, onChange }: SelectProps) {
  const error = useRefusal(name)
  return (
    <Field label={label} hint={hint} error={error}>
      {(input) => (
        <select
          {...input}
          name={name}
          onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
        >
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
