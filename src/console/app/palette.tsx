import { useState } from 'preact/hooks'
import { runStep } from '../../checks/coverage/steps.ts'
import { namesOf } from '../../mock/input/record.ts'
import { plans } from '../../mock/spec/plans.ts'
import { faultNames } from '../fail/fault-texts.ts'
import type { ConsoleClient } from '../live/console-client.ts'
import { useConsole } from '../live/console-context.ts'
import { useAction } from '../live/use-client.ts'
import { linkTo, placeNames } from '../model/route.ts'
import { Dialog } from '../parts/dialog.tsx'
import { gapSettingsOf } from '../spec/gap-texts.ts'

/** A command that users can type. */
interface Command {
  /** Words of the command; words in capitals are placeholders for arguments. */
  readonly pattern: string
  readonly about: string
  /** Whether the command can be undone. */
  readonly undo?: boolean
  readonly run: (client: ConsoleClient, words: readonly string[]) => Promise<unknown>
}

/** Commands as on the command line; the group may be left out: `ban free-key 10m`. */
const commands: readonly Command[] = [
  row('keys ban KEY DURATION', 'Ban a key', ({ keys }, [key = '', ban = '5m']) =>
    keys.update(key, { ban }),
  ),
  row('keys unban KEY', 'End a ban', ({ keys }, [key = '']) => keys.update(key, { unban: true })),
  row('keys exhaust KEY', 'Leave no request in this minute', ({ keys }, [key = '']) =>
    keys.setRemaining(key, { minute: 0 }),
  ),
  row('keys revoke KEY', '401 from now on', ({ keys }, [key = '']) =>
    keys.update(key, { revoked: true }),
  ),
  row('keys plan KEY PLAN', 'Change the plan of a key', ({ keys }, [key = '', name]) => {
    const plan = namesOf(plans).find((one) => one === name)
    if (plan === undefined) throw new Error(`Cannot change the plan: use ${namesOf(plans)}`)
    return keys.update(key, { plan })
  }),
  row('keys delete KEY', 'Delete a key', ({ keys }, [key = '']) => keys.delete(key), true),
  row('pets set-status ID STATUS', 'Change the status of a pet', ({ pets }, [id = '', status]) =>
    pets.update(id, { status: status as never }),
  ),
  row('pets delete ID', 'Delete a pet', ({ pets }, [id = '']) => pets.delete(id), true),
  row('pets clear', 'Delete all pets', ({ pets }) => pets.clear(), true),
  row('clock advance DURATION', 'Advance the clock', ({ clock }, [by = '1m']) => clock.advance(by)),
  row('clock set TIME', 'Set the clock', ({ clock }, [to = '']) => clock.set(to)),
  row('clock freeze', 'Stop the clock', ({ clock }) => clock.freeze()),
  row('clock run', 'Let the clock run', ({ clock }) => clock.resume()),
  row('clock now', 'Follow the system time', ({ clock }) => clock.useSystemTime()),
  ...faultNames.map((fault) =>
    row(`faults add ${fault}`, 'The next request fails', ({ faults }) =>
      faults.add({ fault, times: 1, ...(/latency|slow/.test(fault) ? { ms: '3s' } : {}) } as never),
    ),
  ),
  row('faults clear', 'Remove all faults', ({ faults }) => faults.clear(), true),
  row('gaps set NAME=VALUE', 'Set the value of a gap', (client, [given = '']) => {
    const [name = '', value = ''] = given.split('=')
    return client.setGaps(gapSettingsOf({ [name]: value }))
  }),
  row('reset', 'Everything goes back to the seed', (client) => client.reset(), true),
]

function row(pattern: string, about: string, run: Command['run'], undo = false): Command {
  return { pattern, about, run, undo }
}

/** Returns the words of a command that the user types as they are. */
function fixedWords({ pattern }: Command): readonly string[] {
  return pattern.split(' ').filter((word) => !/^[A-Z]/.test(word))
}

interface Found {
  readonly command: Command
  /** Arguments typed in place of the words in capitals. */
  readonly given: readonly string[]
}

/** Returns the commands that a text may be the start of. */
export function findCommands(all: readonly Command[], text: string): readonly Found[] {
  const typed = text.trim().split(/\s+/).filter(Boolean)
  return all.flatMap((command): Found[] => {
    const fixed = fixedWords(command)
    for (const words of [fixed, fixed.slice(1)]) {
      if (words.length === 0) continue
      const head = typed.slice(0, words.length)
      const fits = head.every((one, at) =>
        at < typed.length - 1 ? words[at] === one : words[at]?.startsWith(one),
      )
      if (fits) return [{ command, given: typed.slice(words.length) }]
    }
    return []
  })
}

/** Command palette, which accepts commands as on the command line. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const { store, go } = useConsole()
  const run = useAction()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const scenarios = store.scenarios.value.flatMap(({ name, title, undo, inForce }) => [
    row(`scenario ${name} KEY`, title, (client, [key]) => client.scenario(name, { key })),
    ...(inForce
      ? [
          row(`scenario undo ${name}`, `Undo: ${title}`, async (client) => {
            for (const step of undo) await runStep(client, step)
          }),
        ]
      : []),
  ])
  const places = placeNames.map((name) =>
    row(`go ${name}`, 'Go there', async () => go(linkTo(name))),
  )
  const found = findCommands([...commands, ...scenarios, ...places], text).slice(0, 9)
  const execute = async (one: Found | undefined): Promise<void> => {
    if (one === undefined) return
    const words = one.command.pattern.split(' ')
    const needed = words.length - fixedWords(one.command).length
    if (needed > 0 && one.given.length === 0 && words[0] !== 'scenario') {
      setText(`${fixedWords(one.command).join(' ')} `)
      return
    }
    const line = [...fixedWords(one.command), ...one.given].join(' ')
    const options = { done: line, undo: one.command.undo === true }
    if (await run((client) => one.command.run(client, one.given), options)) onClose()
  }
  return (
    <Dialog title="Commands" onClose={onClose}>
      <form
        class="stack palette"
        onSubmit={(event) => {
          event.preventDefault()
          void execute(found[at])
        }}
      >
        <input
          role="combobox"
          aria-label="Command"
          aria-expanded={true}
          aria-controls="commands"
          aria-activedescendant={found[at] && `command-${at}`}
          placeholder="ban free-key 10m"
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value)
            setAt(0)
          }}
          onKeyDown={(event) => {
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
            if (step === undefined) return
            event.preventDefault()
            setAt(Math.min(Math.max(at + step, 0), Math.max(0, found.length - 1)))
          }}
        />
        <div id="commands" role="listbox" aria-label="Commands" class="options">
          {found.map((one, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
            <div
              key={one.command.pattern}
              id={`command-${index}`}
              role="option"
              aria-selected={index === at}
              onClick={() => void execute(one)}
            >
              <code>{one.command.pattern}</code> <span class="hint">{one.command.about}</span>
            </div>
          ))}
        </div>
        {found.length === 0 ? <p class="hint">No command begins like this.</p> : null}
      </form>
    </Dialog>
  )
}
