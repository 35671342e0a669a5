import { render } from 'preact'
import { useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { App } from '../app/app.tsx'
import { Unknown } from '../app/connection.tsx'
import { FilePicker } from '../data/file-picker.tsx'
import { KeptFiles, readText } from '../data/kept-files.ts'
import { ConsoleProvider, type ConsoleScope, Notices } from '../live/console-context.ts'
import { LiveStore } from '../live/live-store.ts'
import { decoded, goByAddress, linkTo } from '../model/route.ts'
import { pageClient } from '../panel/page-client.ts'
import { Button } from '../parts/button.tsx'
import { Clients } from './clients.tsx'
import { MakeItHappen } from './make-it-happen.tsx'
import { apiUrl, Playground } from './playground.ts'
import './playground.css'
import { draftOf, RequestForm, type SentRequest, tryLink } from './request-form.tsx'
import { RunBar } from './run-bar.tsx'
import { runSteps, stepsIn } from './try-link.ts'
import { useFindings, useRun } from './use-run.ts'

/** The playground: on the left a request form or a run, on the right the console. */
function Root({ playground }: { readonly playground: Playground }) {
  const { shown } = playground
  const { opened, ...run } = useRun(shown)
  useFindings(shown)
  const [draft, setDraft] = useState(() => draftOf('listPets 200'))
  const [sent, setSent] = useState<SentRequest | undefined>(undefined)
  const [wanted, setWanted] = useState<string | undefined>(undefined)
  const isStepping = opened !== undefined && !opened.isTakenOver
  const name = isStepping ? opened.name : undefined
  const live = useMemo(() => {
    const client = pageClient(shown)
    return { client, store: new LiveStore(client), notices: new Notices(), kept: new KeptFiles() }
  }, [shown])
  const scope = useMemo(
    (): ConsoleScope => ({
      ...live,
      go: goByAddress,
      apiUrl,
      isOffline: true,
      sandbox: undefined,
      file: name === undefined ? undefined : { name },
      root: document,
      isPanel: false,
    }),
    [live, name],
  )
  useLayoutEffect(() => live.store.start(), [live])
  /** Runs an action, and shows its error message if it fails. */
  const attempt = (act: () => Promise<void>): void => {
    live.notices.dismiss()
    void act().catch((error) => {
      live.notices.add('error', error instanceof Error ? error.message : String(error))
    })
  }
  const followLink = async (): Promise<void> => {
    setWanted((now) => fileIn(location.hash) ?? now)
    const steps = stepsIn(location.hash)
    if (steps === undefined) return
    // Replaces the `#try` address in the history by a place of the console.
    goByAddress(linkTo('requests'), 'replace')
    run.close()
    playground.restart()
    setDraft(draftOf('from the link', steps))
    const { sandbox } = playground
    let entry: SentRequest['entry'] | undefined
    await runSteps(sandbox, steps, async (request) => {
      // The user may have opened something else since.
      if (playground.sandbox === sandbox) entry = await playground.send(request)
    })
    setSent(entry && { entry, link: tryLink(steps) })
  }
  useLayoutEffect(() => {
    const embedded = document.getElementById('run')
    attempt(async () => {
      if (embedded !== null) await run.open(embedded.dataset.name ?? 'run', embedded.textContent)
      await followLink()
    })
    const onHash = (): void => attempt(followLink)
    addEventListener('hashchange', onHash)
    return () => removeEventListener('hashchange', onHash)
  }, [])
  return (
    <ConsoleProvider value={scope}>
      <div class="playground">
        <aside class="left stack sections" aria-label={isStepping ? 'Run' : 'Try it'}>
          <header class="stack">
            <h1 class="title">{name ?? 'Pet store playground'}</h1>
            <p class="hint">
              {isStepping
                ? 'A run, step by step: the arrow keys go back and forth. Nothing leaves this page.'
                : 'The whole pet store API runs in this page. Nothing leaves it.'}
            </p>
            {opened?.isTakenOver ? (
              <p class="group">
                <span>
                  Taken over after request {opened.step} of {opened.name}.
                </span>
                <Button onClick={() => attempt(() => run.moveTo(opened.step))}>
                  Back to the run
                </Button>
              </p>
            ) : null}
          </header>
          {isStepping ? (
            <RunBar
              opened={opened}
              onMove={(step) => attempt(() => run.moveTo(step))}
              onTakeOver={run.takeOver}
            />
          ) : (
            <>
              <RequestForm
                playground={playground}
                draft={draft}
                onDraft={setDraft}
                sent={sent}
                onSent={setSent}
              />
              <MakeItHappen />
              <Clients playground={playground} />
            </>
          )}
          <p class="group">
            <FilePicker
              text="Open a failed run…"
              accept=".json"
              onFiles={([chosen]) =>
                attempt(async () => {
                  if (chosen !== undefined) await run.open(chosen.name, await readText(chosen))
                })
              }
            />
            <span class="hint">{wanted === undefined ? 'a capture' : `Choose ${wanted}`}</span>
          </p>
        </aside>
        <div class="console">
          <App chooser={undefined}>
            <Unknown attempt={() => live.client.status()} onToken={() => {}} />
          </App>
        </div>
      </div>
    </ConsoleProvider>
  )
}

/** Maximum length of a fragment that names a file, in characters. */
const maxName = 300

/** Returns the name of the file that a link asks the user to pick, as in `#open=failed.petstore.json`. */
function fileIn(fragment: string): string | undefined {
  const [, name] = /^#open=(.+)$/.exec(fragment.slice(0, maxName)) ?? []
  return name && decoded(name)
}

const place = document.getElementById('app')
if (place !== null) {
  const playground = new Playground()
  // For the browser's developer console.
  Object.assign(globalThis, { petstore: playground })
  render(<Root playground={playground} />, place)
}
