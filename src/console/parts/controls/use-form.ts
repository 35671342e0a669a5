import { useRef, useState } from 'preact/hooks'
import { InputError } from '../../../input/input-error.ts'
import { namesOf } from '../../../input/record.ts'
import type { ConsoleClient } from '../../live/console-client.ts'
import { useConsole } from '../../live/console-context.ts'

/** Sends what a form has, and says at which field it was refused. */
export interface FormAction<Name extends string> {
  /** What is wrong, by field; `form` for what is of none. */
  readonly errors: ReadonlyMap<Name | 'form', string>
  /**
   * Calls a control; a refusal is shown at its field, and resolves to `false`.
   *
   * @param done What to say when it is done.
   */
  send(call: (client: ConsoleClient) => Promise<unknown>, done: string): Promise<boolean>
}

/** Gives what sends a form; each of its fields says which place of the input it is, such as `limits.minute`. */
export function useForm<Name extends string>(
  fields: Readonly<Record<Name, string>>,
): FormAction<Name> {
  const { client, store, notices } = useConsole()
  const isSending = useRef(false)
  const [errors, setErrors] = useState<FormAction<Name>['errors']>(new Map())
  return {
    errors,
    async send(call, done) {
      // A second click asks for nothing more. The button stays as it is, or it would lose the focus.
      if (isSending.current) return false
      isSending.current = true
      setErrors(new Map())
      try {
        await call(client)
        notices.add('done', done)
        return true
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        const place = error instanceof InputError ? error.path.join('.') : ''
        setErrors(new Map([[fieldAt(place, fields) ?? 'form', message]]))
        return false
      } finally {
        isSending.current = false
        void store.refresh()
      }
    },
  }
}

/** Finds the field of a place: the one that names it, or else what it is a part of, most exactly. */
function fieldAt<Name extends string>(
  place: string,
  fields: Readonly<Record<Name, string>>,
): Name | undefined {
  return namesOf(fields)
    .filter((name) => `${place}.`.startsWith(`${fields[name]}.`))
    .sort((one, other) => fields[other].length - fields[one].length)[0]
}
