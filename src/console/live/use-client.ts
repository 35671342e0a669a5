import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ControlStep } from '../../mock/api/control-step.ts'
import type { ConsoleClient } from './console-client.ts'
import { useConsole } from './console-context.ts'
import { Throttle } from './throttle.ts'

/** The sandbox's last response, or its error message. */
interface LoadedResponse<Result> {
  readonly result?: Result
  readonly problem?: string
}

/** Minimum time between two calls, in milliseconds. */
const everyMs = 1_000

/**
 * Calls the sandbox for data that no signal has, and again when something changes.
 *
 * @param changes Values on which the response depends.
 */
export function useResponse<Result>(
  load: (client: ConsoleClient) => Promise<Result>,
  changes: readonly unknown[],
): LoadedResponse<Result> {
  const { client } = useConsole()
  const [shown, show] = useState<LoadedResponse<Result>>({})
  const callback = useRef(load)
  callback.current = load
  const throttle = useMemo(() => {
    return new Throttle(everyMs, async () => {
      try {
        show({ result: await callback.current(client) })
      } catch (error) {
        show({ problem: error instanceof Error ? error.message : String(error) })
      }
    })
  }, [client])
  useEffect(() => () => throttle.stop(), [throttle])
  useEffect(() => {
    throttle.soon()
  }, [throttle, ...changes])
  return shown
}

/**
 * Returns a function that calls controls, shows a notice on success, and reloads the state. Steps can be undone from the notice. A failed call
 * is shown as a notice and resolves to `false`. Calls run one after the other; a call with the same notice as one that
 * hasn't ended is ignored.
 */
export function useAction() {
  const { client, store, notices } = useConsole()
  const last = useRef<Promise<unknown>>(undefined)
  const underWay = useRef(new Set<unknown>())
  const run = async (
    call: ((client: ConsoleClient) => Promise<unknown>) | readonly ControlStep[],
    done?: string,
  ): Promise<boolean> => {
    const name = done ?? call
    if (underWay.current.has(name)) return false
    underWay.current.add(name)
    const before = last.current
    const attempt = async (): Promise<boolean> => {
      await before
      try {
        const { runUndoable, runAll } = await import('./inverse.ts')
        const undo = typeof call === 'function' ? [] : await runUndoable(client, call)
        if (typeof call === 'function') await call(client)
        const takeBack = (): void => void run((again) => runAll(again, undo), 'Undone')
        if (done !== undefined) notices.add('done', done, undo.length > 0 ? takeBack : undefined)
        return true
      } catch (error) {
        notices.add('error', error instanceof Error ? error.message : String(error))
        return false
      } finally {
        underWay.current.delete(name)
        void store.refresh()
      }
    }
    const result = attempt()
    last.current = result
    return result
  }
  return run
}

/** Returns a function that resets the sandbox; *Undo* then brings back its whole state. */
export function useReset(): () => void {
  const run = useAction()
  const done = 'Everything is as at the start; Undo brings all of it back as it was'
  return () => void run([{ control: 'reset', args: [] }], done)
}

/**
 * Keeps the keyboard focus near the user's position when the focused element is removed: on a similar element in the
 * same part of the page, or else on the first one there.
 *
 * @param root The document, or the frame of a panel.
 */
export function useKeptFocus(root: HTMLElement | undefined): void {
  useEffect(() => {
    if (root === undefined) return
    let chain: readonly Element[] = []
    const remember = ({ target }: Event): void => {
      chain = []
      for (let one = target instanceof Element ? target : null; one !== null; ) {
        chain = [...chain, one]
        one = one === root ? null : one.parentElement
      }
    }
    const forget = (event: Event): void => {
      if (!chain.some((one) => one === event.target)) chain = []
    }
    const observer = new MutationObserver(() => {
      const [focused] = chain
      if (focused === undefined || focused.isConnected) return
      const place = root.getRootNode()
      const active = 'activeElement' in place ? place.activeElement : null
      if (active !== null && active !== document.body) return
      const home = chain.find((one) => one.isConnected)
      chain = []
      // An element of the same type is preferred over the first one.
      const next =
        home?.querySelector<HTMLElement>(`${focused.localName}:not(:disabled)`) ??
        home?.querySelector<HTMLElement>('button:not(:disabled), a[href], input, select')
      const main = root.querySelector<HTMLElement>('main, [role=dialog]')
      const target = home === root || home?.contains(main) ? main : (next ?? main)
      target?.focus({ preventScroll: true })
    })
    root.addEventListener('focusin', remember)
    root.addEventListener('pointerdown', forget, true)
    observer.observe(root, { childList: true, subtree: true })
    return () => {
      observer.disconnect()
      root.removeEventListener('focusin', remember)
      root.removeEventListener('pointerdown', forget, true)
    }
  }, [root])
}
