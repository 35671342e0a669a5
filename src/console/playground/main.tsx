import { render } from 'preact'
import { useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { App } from '../app/app.tsx'
import { Unknown } from '../app/connection.tsx'
import { FilePicker } from '../data/file-picker.tsx'
import { keptDatabase } from '../data/kept-database.ts'
import { KeptFiles, readText } from '../data/kept-files.ts'
import { ConsoleProvider, type ConsoleScope, Notices } from '../live/console-context.ts'
import { LiveStore } from '../live/live-store.ts'
import { decoded, goByAddress, linkTo } from '../model/route.ts'
import { Button } from '../parts/button.tsx'
import { Clients } from './clients.tsx'
import { MakeItHappen } from './make-it-happen.tsx'
import { apiUrl, Playground } from './playground.ts'
import { RunBar } from './run-bar.tsx'
import { shownRunOf, useRun } from './use-run.ts'
import './playground.css'
import { type Draft, draftOf, TryForm } from './try-form.tsx'
import { stepsIn } from './try-link.ts'

/** The playground: on the left a request form, on the right the console; or a run, in the whole window. */
function Root({ playground }: { readonly playground: Playground }) {
  const run = useRun()
  const { opened } = run
  const [draft, setDraft] = useState<Draft>(() => ({
    ...draftOf('listPets 200'),
    setup: undefined,
  }))
  const [wanted, setWanted] = useState<string | undefined>(undefined)
  /** Whether the user continues from a step of the run. */
  const [isTakenOver, setTakenOver] = useState(false)
  const isStepping = opened !== undefined && !isTakenOver
  const client = isStepping ? opened.run.client : playground.client
  const live = useMemo(() => ({ store: new LiveStore(client), notices: new Notices() }), [client])
  const kept = useMemo(() => new KeptFiles(), [])
  const takeOver = (): void => {
    if (opened === undefined) return
    playground.replace(opened.run.shown.current)
    setTakenOver(true)
  }
  const openRun = async (name: string, text: string): Promise<void> => {
    await run.open(name, text)
    setTakenOver(false)
  }
  const scope: ConsoleScope = {
    ...{ ...live, client, kept, openRun, apiUrl },
    go: goByAddress,
    isOffline: true,
    sandbox: undefined,
    run: isStepping ? { ...shownRunOf(run, opened), takeOver } : undefined,
    send: (request) => playground.run([{ request, times: 1 }]),
    linkOf: (id) => playground.linkOf(id),
    root: document,
    isPanel: false,
  }
  useLayoutEffect(() => live.store.start(), [live])
  playground.inspected = isStepping ? opened.run.shown : playground.shown
  /** Runs an action, and shows its error message if it fails. */
  const attempt = (act: () => Promise<void>): void => {
    live.notices.dismiss()
    void act().catch((error) => {
      live.notices.add('error', error instanceof Error ? error.message : String(error))
    })
  }
  const followLink = async (): Promise<void> => {
    setWanted((now) => fileIn(location.hash, 'open') ?? now)
    const name = fileIn(location.hash, 'kept')
    if (name !== undefined) {
      await openRun(name, await keptText(name))
      return
    }
    const steps = stepsIn(location.hash)
    if (steps === undefined) return
    // Replaces the `#try` address in the history by a place of the console.
    goByAddress(linkTo('requests'), 'replace')
    if (isStepping) run.close()
    playground.restart()
    setDraft(draftOf('from the link', steps))
    const id = await playground.run(steps)
    if (id !== undefined) goByAddress(linkTo('requests', [id]), 'replace')
  }
  useLayoutEffect(() => {
    const embedded = document.getElementById('run')
    attempt(async () => {
      if (embedded !== null) await openRun(embedded.dataset.name ?? 'run', embedded.textContent)
      await followLink()
    })
  }, [])
  useLayoutEffect(() => {
    const onHash = (): void => attempt(followLink)
    addEventListener('hashchange', onHash)
    return () => removeEventListener('hashchange', onHash)
  })
  return (
    <ConsoleProvider value={scope}>
      <div class={isStepping ? '' : 'playground'}>
        {isStepping ? null : (
          <aside class="left stack sections" aria-label="Try it">
            <header class="stack">
              <h1 class="title">Pet store playground</h1>
              <p class="hint">The whole pet store API runs in this page. Nothing leaves it.</p>
              {opened === undefined ? null : (
                <p class="group">
                  <span>
                    Taken over after request {opened.step} of {opened.run.name}.
                  </span>
                  <Button onClick={() => setTakenOver(false)}>Back to the run</Button>
                </p>
              )}
            </header>
            <TryForm playground={playground} draft={draft} onDraft={setDraft} />
            <MakeItHappen />
            <Clients playground={playground} />
            <p class="group">
              <FilePicker
                text="Open a failed run…"
                accept=".json"
                onFiles={([chosen]) =>
                  attempt(async () => {
                    if (chosen !== undefined) await openRun(chosen.name, await readText(chosen))
                  })
                }
              />
              <span class="hint">{wanted === undefined ? 'a capture' : `Choose ${wanted}`}</span>
            </p>
          </aside>
        )}
        <App chooser={undefined} bar={scope.run && <RunBar run={scope.run} />}>
          <Unknown attempt={() => client.status()} onToken={() => {}} />
        </App>
      </div>
    </ConsoleProvider>
  )
}

/** Maximum length of a fragment that names a file, in characters. */
const maxName = 300

/**
 * Returns the name of a file in a link: one to pick, as in `#open=failed.petstore.json`, or one that the console has
 * kept, as in `#kept=failed.petstore.json`.
 */
function fileIn(fragment: string, what: 'open' | 'kept'): string | undefined {
  const [, verb, name] = /^#(open|kept)=(.+)$/.exec(fragment.slice(0, maxName)) ?? []
  return verb === what && name !== undefined ? decoded(name) : undefined
}

/** @throws Error with one sentence if the browser has no such file. */
async function keptText(name: string): Promise<string> {
  const files = await keptDatabase()
    .load()
    .catch(() => [])
  const found = files.find((file) => file.name === name)
  if (found === undefined) throw new Error(`Cannot open ${name}: this browser doesn't have it`)
  return found.text
}

const place = document.getElementById('app')
if (place !== null) {
  const playground = new Playground()
  // For the browser's developer console.
  const { fetch } = playground
  const petstore = {
    fetch,
    get sandbox() {
      return playground.inspected.current
    },
  }
  Object.assign(globalThis, { petstore })
  render(<Root playground={playground} />, place)
}
