import { useEffect, useRef, useState } from 'preact/hooks'
import politeSource from '../../../examples/client/pet-client.ts?raw'
import type { Finding } from '../../checks/audit/finding.ts'
import { countText } from '../../checks/reports/text.ts'
import { useConsole } from '../live/console-context.ts'
import { linkTo } from '../model/route.ts'
import { Button } from '../parts/button.tsx'
import { Pill } from '../parts/display.tsx'
import { type ClientTools, sleeper } from './client-tools.ts'
import { axiosClient } from './clients/axios-retry.ts'
import axiosSource from './clients/axios-retry.ts?raw'
import { eagerClient } from './clients/eager.ts'
import eagerSource from './clients/eager.ts?raw'
import { naiveClient } from './clients/naive.ts'
import naiveSource from './clients/naive.ts?raw'
import { politeClient } from './clients/polite.ts'
import { apiUrl, usePlayground } from './playground-context.ts'

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
    summary: 'asks four times a second, and reads no status',
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

/** List of the ready-made clients, each with its code and its findings. */
export function Clients() {
  return (
    <section class="stack" aria-labelledby="clients-title">
      <h2 id="clients-title">Set a client loose</h2>
      <ul class="list box">
        {readyMade.map((client) => (
          <ClientRow key={client.key} client={client} />
        ))}
      </ul>
    </section>
  )
}

/** Pause before a crashed client is restarted, in milliseconds. */
const restartMs = 1_000

function ClientRow({ client }: { readonly client: ReadyMade }) {
  const { title, summary, key } = client
  const { shown, fetch } = usePlayground()
  const { store, notices } = useConsole()
  const [isRunning, setRunning] = useState(false)
  const stop = useRef(() => {})
  const start = (): void => {
    let isOn = true
    stop.current = () => {
      isOn = false
      setRunning(false)
    }
    const { keys } = shown.current
    if (!keys.list().some((one) => one.key === key)) keys.issue({ key, plan: 'free' })
    setRunning(true)
    const sleep = sleeper(
      () => shown.current,
      () => isOn,
    )
    const tools = {
      apiUrl,
      key,
      fetch,
      sleep,
      now: () => shown.current.clock.now(),
      isRunning: () => isOn,
    }
    void (async () => {
      while (isOn) {
        await client.run(tools).catch((error) => {
          notices.add('done', `${title} has crashed (${error}), and is started again`)
        })
        await sleep(restartMs)
      }
    })()
  }
  useEffect(() => () => stop.current(), [])
  const own = store.entries.value.filter((entry) => store.keyOf.value(entry) === key)
  const ids = new Set(own.map(({ id }) => id))
  const findings = store.current.value.filter(({ requests: exchanges }) =>
    exchanges.some((id) => ids.has(id)),
  )
  return (
    <li class="stack client">
      <div class="bar">
        <p class="grow">
          <b>{title}</b> <span class="hint">{summary}</span>
        </p>
        <Button
          kind={isRunning ? 'plain' : 'primary'}
          label={`${isRunning ? 'Stop' : 'Start'}: ${title}`}
          onClick={isRunning ? () => stop.current() : start}
        >
          {isRunning ? 'Stop' : 'Start'}
        </Button>
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
