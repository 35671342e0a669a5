import { useRef, useState } from 'preact/hooks'
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

/** Gives what sends a form, whose fields are told by what their refusals begin with. */
export function useForm<Name extends string>(
  fields: Readonly<Record<Name, RegExp>>,
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
        setErrors(errorsOf(message, fields))
        return false
      } finally {
        isSending.current = false
        void store.refresh()
      }
    },
  }
}

function errorsOf<Name extends string>(
  message: string,
  fields: Readonly<Record<Name, RegExp>>,
): FormAction<Name>['errors'] {
  const found = namesOf(fields).filter((name) => fields[name].test(message))
  return new Map<Name | 'form', string>(
    (found.length === 0 ? (['form'] as const) : found).map((name) => [name, message]),
  )
}
