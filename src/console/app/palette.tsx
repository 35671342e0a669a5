import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ActionResult } from '../../client/actions/actions.ts'
import { toJson } from '../../mock/api/json.ts'
import { useConsole } from '../live/console-context.ts'
import { useAction } from '../live/use-client.ts'
import { Dialog } from '../parts/dialog.tsx'
import { fileName, saveFile } from '../parts/save-file.ts'
import type { Offer } from './command-line.ts'

type CommandLine = typeof import('./command-line.ts')

/**
 * Command palette, which accepts commands as on the command line. The commands are loaded when it opens; until then, the
 * field keeps what is typed.
 */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const { store, go, sandbox } = useConsole()
  const run = useAction()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [commands, setCommands] = useState<CommandLine | undefined>(undefined)
  const isSubmitted = useRef(false)
  const list = useRef<HTMLDivElement>(null)
  const known = { keys: store.keys.value, scenarios: store.scenarios.value }
  const offers = commands?.offersFor(text, known) ?? []
  const chosen = offers[at]
  const hint = problem ?? commands?.argumentHint(text)
  const fail = (error: unknown): void =>
    setProblem(error instanceof Error ? error.message : String(error))
  useLayoutEffect(() => {
    import('./command-line.ts').then(setCommands, fail)
  }, [])
  useEffect(() => {
    if (isSubmitted.current) pick(chosen)
  }, [commands])
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [at, text])
  const type = (typed: string): void => {
    setText(typed)
    setAt(0)
    setProblem(undefined)
  }
  const execute = async (line: string, { readLine }: CommandLine): Promise<void> => {
    try {
      const wanted = readLine(line)
      if (wanted.kind === 'go') {
        onClose()
        go(wanted.link)
        return
      }
      if (wanted.kind === 'capture') {
        await run(async (client) => {
          const name = fileName(sandbox, store.status.peek()?.clock.now ?? '', 'petstore.json')
          saveFile(name, toJson(await client.capture()))
        })
        onClose()
        return
      }
      let result: ActionResult | undefined
      let message = ''
      const isDone = await run(
        async (client) => {
          result = await wanted.call(client)
          message = await result.message()
        },
        { done: () => message, undo: wanted.deletes, onProblem: setProblem },
      )
      if (isDone) onClose()
    } catch (error) {
      fail(error)
    }
  }
  const pick = (offer: Offer | undefined): void => {
    isSubmitted.current = commands === undefined
    if (commands === undefined) return
    if (offer === undefined || offer.isWhole) void execute(offer?.line ?? text, commands)
    else type(offer.line)
  }
  return (
    <Dialog title="Commands" width="palette" onClose={onClose}>
      <form
        class="stack palette"
        onSubmit={(event) => {
          event.preventDefault()
          pick(chosen)
        }}
      >
        <input
          role="combobox"
          aria-label="Command"
          aria-expanded={offers.length > 0}
          aria-controls="commands"
          aria-activedescendant={chosen && `command-${at}`}
          aria-describedby="command-hint"
          aria-invalid={problem === undefined ? undefined : true}
          placeholder="ban free-key 10m"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => type(currentTarget.value)}
          onKeyDown={(event) => {
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
            if (step !== undefined) {
              event.preventDefault()
              setAt(Math.min(Math.max(at + step, 0), Math.max(0, offers.length - 1)))
            } else if (event.key === 'Tab' && !event.shiftKey && chosen && chosen.line !== text) {
              event.preventDefault()
              type(chosen.line)
            }
          }}
        />
        <p
          id="command-hint"
          class={problem === undefined ? 'hint' : 'field-error'}
          role={problem === undefined ? undefined : 'alert'}
        >
          {hint ??
            (commands !== undefined && offers.length === 0
              ? 'No command begins like this.'
              : 'As on the command line; Tab completes.')}
        </p>
        <div ref={list} id="commands" role="listbox" aria-label="Commands" class="options">
          {offers.map((offer, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
            <div
              key={offer.line}
              id={`command-${index}`}
              role="option"
              aria-selected={index === at}
              // The field keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => pick(offer)}
            >
              <code>{offer.title}</code> <span class="hint">{offer.summary}</span>
            </div>
          ))}
        </div>
      </form>
    </Dialog>
  )
}
