import { useEffect, useState } from 'preact/hooks'
import politeSource from '../../../examples/client/pet-client.ts?raw'
import type { Finding } from '../../checks/audit/finding.ts'
import { countText } from '../../checks/reports/text.ts'
import { useConsole } from '../live/console-context.ts'
import { linkTo } from '../model/route.ts'
import { Button } from '../parts/button.tsx'
import { Pill } from '../parts/display.tsx'
import type { ClientTools } from './client-tools.ts'
import { axiosClient } from './clients/axios-retry.ts'
import axiosSource from './clients/axios-retry.ts?raw'
import { eagerClient } from './clients/eager.ts'
import eagerSource from './clients/eager.ts?raw'
import { naiveClient } from './clients/naive.ts'
import naiveSource from './clients/naive.ts?raw'
import { politeClient } from './clients/polite.ts'
import { apiUrl, type Playground } from './playground.ts'

/** A client to run in the page. */
interface ReadyMade {
  readonly title: string
  readonly summary: string
  /** The client's own key, by which its requests and findings are recognized. */
  readonly key: string
  readonly source: string
  /** Part of the source line that sends requests, to highlight if there are findings. */
  readonly line: string
  readonly run: (tools: ClientTools) => Promise<void>
}

const readyMade: readonly ReadyMade[] = [
  {
    title: 'Naïve',
    summary: 'sends four requests a second, and ignores their status',
    key: 'naive-client-key',
    source: naiveSource,
    line: 'await fetch(',
    run: naiveClient,
  },
  {
    title: 'Retries everything at once',
    summary: 'adds pets; on any failure tries five times, without a pause',
    key: 'eager-client-key',
    source: eagerSource,
    line: 'await fetch(',
    run: eagerClient,
  },
  {
    title: 'axios-retry',
    summary: 'axios and axios-retry with their defaults',
    key: 'axios-client-key',
    source: axiosSource,
    line: 'await http.get(',
    run: axiosClient,
  },
  {
    title: 'Polite',
    summary: 'the client of examples/client, to copy: waits, backs off, adds nothing twice',
    key: 'polite-client-key',
    source: politeSource,
    line: 'this.#options.fetch(',
    run: politeClient,
  },
]

interface ClientsProps {
  readonly playground: Playground
}

/** List of the ready-made clients, each with its code and its findings. */
export function Clients({ playground }: ClientsProps) {
  return (
    <section class="stack" aria-labelledby="clients-title">
      <h2 id="clients-title">Start a client</h2>
      <ul class="list box">
        {readyMade.map((client) => (
          <ClientRow key={client.key} client={client} playground={playground} />
        ))}
      </ul>
    </section>
  )
}

/** Pause before a crashed client is restarted, in milliseconds. */
const restartMs = 1_000

interface ClientRowProps extends ClientsProps {
  readonly client: ReadyMade
}

function ClientRow({ client, playground }: ClientRowProps) {
  const { title, summary, key } = client
  const { store, notices } = useConsole()
  const [running, setRunning] = useState<AbortController | undefined>(undefined)
  useEffect(() => () => running?.abort(), [running])
  const start = async (): Promise<void> => {
    const stop = new AbortController()
    setRunning(stop)
    const tools = toolsFor(key, playground, stop.signal)
    while (!stop.signal.aborted) {
      await client.run(tools).catch((error) => {
        notices.add('done', `${title} crashed (${error}), and restarts`)
      })
      await tools.sleep(restartMs)
    }
  }
  const own = store.entries.value.filter((entry) => store.keyOf.value(entry) === key)
  const ids = new Set(own.map(({ id }) => id))
  const findings = store.current.value.filter(({ requests }) => requests.some((id) => ids.has(id)))
  return (
    <li class="stack client">
      <div class="bar">
        <p class="grow">
          <b>{title}</b> <span class="hint">{summary}</span>
        </p>
        {running === undefined ? (
          <Button kind="primary" label={`Start: ${title}`} onClick={() => void start()}>
            Start
          </Button>
        ) : (
          <Button label={`Stop: ${title}`} onClick={() => setRunning(undefined)}>
            Stop
          </Button>
        )}
      </div>
      {own.length === 0 ? null : (
        <p class="group">
          <a class="hint" href={linkTo('requests', [], { key })}>
            {countText(own.length, 'request')}
          </a>
          {findings.length === 0 ? null : (
            <Pill tone="warning" text={countText(findings.length, 'finding')} />
          )}
        </p>
      )}
      <details>
        <summary class="hint">Code</summary>
        <Code client={client} findings={findings} />
      </details>
    </li>
  )
}

/** Creates the tools of a client, which sleeps on the sandbox's clock; on a frozen clock, it sleeps in real time. */
function toolsFor(key: string, playground: Playground, stop: AbortSignal): ClientTools {
  return {
    apiUrl,
    key,
    fetch(input, init) {
      // After a restart, the sandbox doesn't have the key.
      const { keys } = playground.sandbox
      if (!keys.list().some((one) => one.key === key)) keys.issue({ key, plan: 'free' })
      return playground.fetch(input, init)
    },
    now: () => playground.sandbox.clock.now(),
    isRunning: () => !stop.aborted,
    sleep(ms) {
      const { clock } = playground.sandbox.state()
      const isFrozen = clock.read().mode === 'frozen'
      return clock.wait(ms, isFrozen ? AbortSignal.any([stop, AbortSignal.timeout(ms)]) : stop)
    },
  }
}

interface CodeProps {
  readonly client: ReadyMade
  readonly findings: readonly Finding[]
}

/** Source code of a client; if there are findings, the line that they refer to is highlighted. */
function Code({ client: { source, line }, findings }: CodeProps) {
  const rules = [...new Set(findings.map(({ rule }) => rule))]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it may scroll
    <pre class="code" tabIndex={0}>
      {source
        .replace(/^import type .*\n+/m, '')
        .trim()
        .split('\n')
        .map((text, index) =>
          rules.length > 0 && text.includes(line) ? (
            <mark key={index}>
              {text}
              {'\n'}
              <a href={linkTo('findings')}>{`${/^ */.exec(text)?.[0]}↑ ${rules.join(', ')}`}</a>
              {'\n'}
            </mark>
          ) : (
            `${text}\n`
          ),
        )}
    </pre>
  )
}
