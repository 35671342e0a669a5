import { render } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { RequestView } from '../../client/connect-sandbox.ts'
import type { ReadCapture } from '../../mock/controls/reports.ts'
import { createSandbox } from '../../mock/sandbox.ts'
import { playedSandbox, readRun, sandboxWithFindings } from '../../mock/sandbox-runs.ts'
import { parseJson } from '../../mock/spec/json.ts'
import { startTimer, stopTimer } from '../../mock/spec/real-time.ts'
import { App } from '../app/app.tsx'
import { Unknown } from '../app/connection.tsx'
import { FilePicker } from '../data/file-picker.tsx'
import { KeptFiles, readText } from '../data/kept-files.ts'
import { ConsoleProvider, type ConsoleScope, Notices } from '../live/console-context.ts'
import { LiveStore } from '../live/live-store.ts'
import { Throttle } from '../live/throttle.ts'
import { decoded, goByAddress, linkTo, routeInAddress } from '../model/route.ts'
import { pageClient } from '../panel/page-client.ts'
import { ShownSandbox } from '../panel/shown-sandbox.ts'
import { Button } from '../parts/button.tsx'
import { Problem } from '../parts/display.tsx'
import { Clients } from './clients.tsx'
import { MakeItHappen } from './make-it-happen.tsx'
import './playground.css'
import { apiUrl, Playground, PlaygroundProvider } from './playground-context.ts'
import { draftOf, firstDraft, RequestForm } from './request-form.tsx'
import { RunBar } from './run-bar.tsx'
import { runSteps, stepsIn } from './try-link.ts'

/** A run from a file, and the step shown. */
interface OpenRun {
  readonly name: string
  /** `undefined` for a report, which contains only findings. */
  readonly capture: ReadCapture | undefined
  readonly ids: readonly number[]
  /** The sandbox is shown as it was after this request. */
  readonly entry: RequestView | undefined
}

/** Returns the file embedded in the page, if any. */
function embeddedFile(): { readonly name: string; readonly text: string } | undefined {
  const element = document.getElementById('run')
  if (element === null) return undefined
  return { name: element.dataset.name ?? 'run', text: element.textContent }
}

/** Time for which a run must stay at one step before its findings are computed, in milliseconds. */
const settledMs = 120

function Root() {
  const [playground] = useState(
    () => new Playground(new ShownSandbox(createSandbox({ coverage: true }))),
  )
  const { shown } = playground
  useLayoutEffect(() => void Object.assign(globalThis, { petstore: exposed(playground) }), [])
  const [run, setRun] = useState<OpenRun | undefined>(undefined)
  const [isTakenOver, setTakenOver] = useState(false)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [draft, setDraft] = useState(firstDraft)
  const [wanted, setWanted] = useState<string | undefined>(undefined)
  const [sent, setSent] = useState<RequestView | undefined>(undefined)
  const file = isTakenOver ? undefined : run?.name
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
      file,
      root: document,
      isPanel: false,
    }),
    [live, file],
  )
  useLayoutEffect(() => live.store.start(), [live])
  // The first call of `findings()` starts the checks; from then on findings appear live.
  useEffect(() => {
    const leave = new AbortController()
    let timer: ReturnType<typeof startTimer> | undefined
    const watch = (): void => {
      stopTimer(timer)
      timer = startTimer(() => void shown.current.findings(), settledMs)
    }
    shown.onReplace(watch, leave.signal)
    watch()
    return () => {
      stopTimer(timer)
      leave.abort()
    }
  }, [shown])
  /** Runs an action, and shows its error message if it fails. */
  const attempt = async (act: () => Promise<void>): Promise<void> => {
    try {
      setProblem(undefined)
      await act()
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  /** Shows the state of a run after a request. */
  const moveTo = async (opened: OpenRun, id: number | undefined): Promise<void> => {
    if (opened.capture === undefined) return
    const { sandbox } = await playedSandbox(opened.capture, { until: id })
    shown.replace(sandbox)
    const entry = id === undefined ? undefined : sandbox.requests.get(id)
    setRun({ ...opened, entry })
    const { place, path, query } = routeInAddress()
    // Open details follow the step.
    if (place === 'requests' && path.length > 0 && id !== undefined) {
      goByAddress(linkTo('requests', [id], query), 'replace')
    }
  }
  const openRun = async (name: string, text: string): Promise<void> => {
    const found = readRun(jsonOf(name, text))
    setTakenOver(false)
    if (found.kind === 'report') {
      shown.replace(sandboxWithFindings(found.findings))
      setRun({ name, capture: undefined, ids: [], entry: undefined })
      goByAddress(linkTo('findings'), 'replace')
      return
    }
    const { capture } = found
    const ids = capture.steps.flatMap((step) => (step.do === 'request' ? step.number : []))
    await moveTo({ name, capture, ids, entry: undefined }, ids.at(-1))
  }
  const followLink = async (): Promise<void> => {
    const name = fileIn(location.hash)
    if (name !== undefined) setWanted(name)
    const steps = stepsIn(location.hash)
    if (steps === undefined) return
    // Replaces the `#try` address in the history by a place of the console.
    goByAddress(linkTo('requests'), 'replace')
    let last: RequestView | undefined
    shown.replace(createSandbox({ coverage: true }))
    setRun(undefined)
    await runSteps(shown.current, steps, async (request) => {
      last = await playground.send(request)
    })
    setDraft(draftOf('from the link', steps))
    setSent(last)
  }
  useLayoutEffect(() => {
    const embedded = embeddedFile()
    void attempt(async () => {
      if (embedded !== undefined) await openRun(embedded.name, embedded.text)
      await followLink()
    })
    const onHash = (): void => void attempt(followLink)
    addEventListener('hashchange', onHash)
    return () => removeEventListener('hashchange', onHash)
  }, [])
  const moves = useRef<{ run: OpenRun; id: number } | undefined>(undefined)
  const mover = useMemo(
    () =>
      new Throttle(0, async () => {
        const wanted = moves.current
        if (wanted !== undefined) await attempt(() => moveTo(wanted.run, wanted.id))
      }),
    [],
  )
  const isStepping = run !== undefined && !isTakenOver
  return (
    <ConsoleProvider value={scope}>
      <PlaygroundProvider value={playground}>
        <div class="playground">
          <aside class="left stack sections" aria-label={isStepping ? 'Run' : 'Try it'}>
            <header class="stack">
              <h1 class="title">{isStepping ? run.name : 'Pet store playground'}</h1>
              <p class="hint">
                {isStepping
                  ? 'A run, step by step: the arrow keys go back and forth. Nothing leaves this page.'
                  : 'The whole pet store API runs in this page. Nothing leaves it.'}
              </p>
              <Problem text={problem} />
              {run !== undefined && isTakenOver ? (
                <p class="group">
                  <span>
                    Taken over after request {run.entry?.id} of {run.name}.
                  </span>
                  <Button
                    onClick={() => {
                      setTakenOver(false)
                      void attempt(() => moveTo(run, run.entry?.id))
                    }}
                  >
                    Back to the run
                  </Button>
                </p>
              ) : null}
            </header>
            {isStepping ? (
              run.capture === undefined ? (
                <p>A report has findings alone; open a capture to step through its requests.</p>
              ) : (
                <RunBar
                  key={run.name}
                  capture={run.capture}
                  ids={run.ids}
                  entry={run.entry}
                  onMove={(id) => {
                    moves.current = { run, id }
                    void mover.now()
                  }}
                  onTakeOver={() => setTakenOver(true)}
                />
              )
            ) : (
              <>
                <RequestForm draft={draft} onDraft={setDraft} sent={sent} onSent={setSent} />
                <MakeItHappen />
                <Clients />
              </>
            )}
            <p class="group">
              <FilePicker
                text="Open a failed run…"
                accept=".json"
                onFiles={([chosen]) =>
                  void attempt(async () => {
                    if (chosen !== undefined) await openRun(chosen.name, await readText(chosen))
                  })
                }
              />
              <span class="hint">
                {wanted === undefined ? 'a capture, or a report' : `Choose ${wanted}`}
              </span>
            </p>
          </aside>
          <div class="console">
            <App chooser={undefined}>
              <Unknown attempt={() => live.client.status()} onToken={() => {}} />
            </App>
          </div>
        </div>
      </PlaygroundProvider>
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

function jsonOf(name: string, text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    throw new TypeError(`Cannot read ${name}: it is not valid JSON`)
  }
}

/**
 * Returns the object for the browser's developer console: the sandbox shown, and a `fetch` that sends requests to it.
 */
function exposed({ shown, fetch }: Playground) {
  return {
    get sandbox() {
      return shown.current
    },
    fetch,
  }
}

const place = document.getElementById('app')
if (place !== null) render(<Root />, place)
