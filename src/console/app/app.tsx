import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { SandboxClient } from '../../client/sandbox-client.ts'
import { useConsole } from '../live/console-context.ts'
import { useAction, useKeptFocus, useReset } from '../live/use-client.ts'
import { linkTo, placeNames, routeInAddress, useAddress } from '../model/route.ts'
import { DataForm, TextInput } from '../parts/data-form.tsx'
import { Dialog, useDialog } from '../parts/dialog.tsx'
import { Boundary } from '../parts/display.tsx'
import { DocumentLink } from '../parts/document-link.tsx'
import { Menu, type MenuItem } from '../parts/popover.tsx'
import { Sign } from '../parts/sign.tsx'
import { SandboxClock } from '../parts/time.tsx'
import { FilterMenu, SaveMenu } from '../requests/requests-menus.tsx'
import { RequestsPlace } from '../requests/requests-place.tsx'
import { SendButton } from '../requests/send-button.tsx'
import { TimeStrip } from '../requests/time-strip.tsx'
import { ClockMenu } from './clock-menu.tsx'
import { Announcer, NoticePlace, Strip, useConnection } from './connection.tsx'
import { InForceChips } from './in-force.tsx'
import { PlaceTabs } from './place-tabs.tsx'
import { loadPlaces, places } from './places.ts'
import { useShortcuts } from './shortcuts.tsx'

/** Parts of *Requests* that a panel has no room for. */
const wide = { TimeStrip, FilterMenu, SaveMenu, SendButton }

interface AppProps {
  /** `undefined` if the server has only one sandbox to show. */
  readonly chooser: ChooserProps | undefined
  /** Shown below the top bar. */
  readonly bar?: ComponentChildren
  /** Shown instead of a place until its sandbox is known. */
  readonly children: ComponentChildren
}

/** Shell of the console around one place. */
export function App({ chooser, bar, children }: AppProps) {
  const { client, store, sandbox, run, notices, go } = useConsole()
  const wanted = useAddress(routeInAddress)
  const names = placeNames.filter((name) => !run || !places[name].isOfControls)
  const route = names.includes(wanted.place) ? wanted : { ...wanted, place: names[0] ?? 'requests' }
  const connection = useConnection()
  const main = useRef<HTMLElement>(null)
  const { title, View } = places[route.place]
  const shown = useRef(route.place)
  const shortcuts = useShortcuts()
  useKeptFocus(document.body)
  const found = store.current.value.length
  // Data and Spec take dropped files; elsewhere the browser would open one in place of the console.
  const takesFiles = run !== undefined || route.place === 'data' || route.place === 'spec'
  useEffect(() => {
    if (takesFiles) return
    const show = (event: DragEvent): void => {
      event.preventDefault()
      if (event.dataTransfer?.types.includes('Files')) go(linkTo('data', ['snapshots']))
    }
    document.addEventListener('dragover', show)
    return () => document.removeEventListener('dragover', show)
  }, [takesFiles, go])
  useEffect(() => void loadPlaces().catch(() => {}), [])
  useEffect(() => {
    const owner = sandbox === undefined ? '' : `${sandbox} · `
    document.title = `${found === 0 ? '' : `(${found}) `}${owner}${title} · petstore-sandbox`
  }, [title, sandbox, found])
  // A layout effect, so that it runs before a place scrolls to one of its items.
  useLayoutEffect(() => {
    scrollTo(0, 0)
    if (shown.current === route.place) return
    // Focus stays as it is when the page loads.
    main.current?.focus({ preventScroll: true })
    shown.current = route.place
    const notice = notices.shown.peek()
    if (notice?.kind === 'done' && notice.undo === undefined) notices.dismiss()
  }, [route.place])
  const isKnown =
    store.status.value !== undefined && (route.place !== 'requests' || store.isLoaded.value)
  return (
    <div class="shell">
      <button type="button" class="button primary skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <header class="head" inert={connection === 'away'}>
        <div class="bar top-bar">
          <p class="brand">
            <Sign name="paw" />
            <span>
              petstore-<b>sandbox</b>
            </span>
          </p>
          {run === undefined ? (
            chooser && <SandboxMenu {...chooser} />
          ) : (
            <p class="file">
              <b>{run.name}</b> <span class="hint">read-only</span>
            </p>
          )}
          <PlaceTabs names={names} current={route.place} />
          <InForceChips />
          <span class="end bar">
            {store.link.value === 'live' || run !== undefined ? null : (
              <span class="hint link">
                {connection === 'connecting' ? 'connecting …' : 'not connected'}
              </span>
            )}
            {run === undefined ? <ClockMenu /> : <SandboxClock />}
            <MoreMenu openKeys={shortcuts.openKeys} />
          </span>
        </div>
        {bar}
      </header>
      <Strip />
      <main id="main" ref={main} class={route.place} tabIndex={-1} aria-label={title}>
        <h1 class="unseen">{title}</h1>
        {isKnown ? (
          // The state of a place belongs to one sandbox.
          <div key={client} class="contents" inert={connection === 'away'}>
            {connection === 'unauthorized' ? children : null}
            <Boundary key={route.place} what={title}>
              {route.place === 'requests' ? (
                <RequestsPlace route={route} wide={wide} />
              ) : (
                <View route={route} />
              )}
            </Boundary>
          </div>
        ) : (
          children
        )}
      </main>
      {shortcuts.dialog}
      <NoticePlace />
      <Announcer />
    </div>
  )
}

/** Props of the menu that switches to another sandbox of the server. */
interface ChooserProps {
  /** `undefined` for the default one. */
  readonly sandbox: string | undefined
  readonly choose: (name: string | undefined) => void
  readonly sandboxes: SandboxClient['sandboxes']
}

/** Menu that switches to, creates and deletes sandboxes of the server. */
function SandboxMenu({ sandbox, choose, sandboxes }: ChooserProps) {
  const run = useAction()
  const [names, setNames] = useState<readonly string[]>([])
  const { dialog, open, confirm } = useDialog()
  const load = (): void =>
    void run(async () => setNames((await sandboxes.list()).map(({ name }) => name)))
  const create = (): void =>
    open((close) => (
      <Dialog title="New sandbox" onClose={close}>
        <DataForm
          label="New sandbox"
          verb="Create it"
          send={async (_, given: { readonly name?: string }) => {
            const { name } = await sandboxes.create(given)
            close()
            choose(name)
          }}
          onClose={close}
        >
          <TextInput name="name" label="Name" hint="Empty for a random one" />
        </DataForm>
      </Dialog>
    ))
  const remove = (name: string): void =>
    confirm({
      title: `Delete ${name}`,
      text: 'Its pets, keys and requests are gone, and its address returns 404.',
      verb: 'Delete',
      onConfirm: () =>
        void run(async () => {
          await sandboxes.delete(name)
          choose(undefined)
        }, `${name} is deleted`),
    })
  const others = names.filter((name) => name !== sandbox)
  const items: readonly MenuItem[] = [
    ...(sandbox === undefined ? [] : [['default', () => choose(undefined)] as const]),
    ...others.map((name): MenuItem => [name, () => choose(name)]),
    ['New…', create],
    ...(sandbox === undefined ? [] : [[`Delete ${sandbox}…`, () => remove(sandbox)] as const]),
  ]
  return (
    <span onFocusIn={load} onPointerEnter={load}>
      <Menu
        kind="quiet"
        label={`Sandbox ${sandbox ?? 'default'}`}
        text={
          <>
            {sandbox ?? 'default'} <Sign name="down" />
          </>
        }
        items={items}
      />
      {dialog}
    </span>
  )
}

/** Menu for the sandbox as a whole. */
function MoreMenu({ openKeys }: { readonly openKeys: () => void }) {
  const { run } = useConsole()
  const reset = useReset()
  const changes: readonly MenuItem[] = [
    ['Reset', reset, 'Pets, keys, quotas, clock, faults, gaps and requests go back to the seed'],
  ]
  return (
    <Menu
      kind="quiet"
      label="More"
      text={<Sign name="more" />}
      items={[...(run === undefined ? changes : []), ['Keyboard…', openKeys]]}
    >
      <span class="menu-link">
        <DocumentLink to="console.html" text="Help" />
      </span>
    </Menu>
  )
}
