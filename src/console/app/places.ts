import type { ComponentType } from 'preact'
import { isWaiting, type LiveStore } from '../live/live-store.ts'
import type { PlaceName, PlaceProps } from '../model/route.ts'
import { later } from '../parts/later.tsx'
import { RequestsPlace } from '../requests/requests-place.tsx'

/*
 * A place (`CONTRIBUTING.md` explains how to add one) has `PlaceProps`; `route.path` is the rest of the address
 * (`#/requests/12` → `['12']`). It reads the signals of `useConsole().store`, and requests other data with
 * `useResponse()`, never over a transport of its own, since the panel has none. It changes things with `useAction()`.
 * Texts from clients are rendered as children, never as markup.
 */

/** A place of the console and of the panel. */
interface Place {
  /** Title in the navigation and of the page. */
  readonly title: string
  /** Returns the number shown beside the title, if useful. */
  readonly count?: (store: LiveStore) => number
  /** Whether it only changes things, so that a run has nothing to show there. */
  readonly isOfControls?: true
  readonly View: ComponentType<PlaceProps>
}

/** Views of the places that are loaded when they are opened. */
const [FindingsPlace, FailPlace, DataPlace, SpecPlace] = [
  later<PlaceProps>(async () => (await import('../findings/findings-place.tsx')).FindingsPlace),
  later<PlaceProps>(async () => (await import('../fail/fail-place.tsx')).FailPlace),
  later<PlaceProps>(async () => (await import('../data/data-place.tsx')).DataPlace),
  later<PlaceProps>(async () => (await import('../spec/spec-place.tsx')).SpecPlace),
]

export const places: { readonly [Name in PlaceName]: Place } = {
  requests: { title: 'Requests', View: RequestsPlace },
  findings: {
    title: 'Findings',
    count: (store) => store.current.value.length,
    View: FindingsPlace,
  },
  fail: {
    title: 'Make it fail',
    count: (store) => store.faults.value.filter(isWaiting).length,
    isOfControls: true,
    View: FailPlace,
  },
  data: { title: 'Data', View: DataPlace },
  spec: { title: 'Spec & gaps', View: SpecPlace },
}

/** Loads the views of all places before they are opened. */
export async function loadPlaces(): Promise<void> {
  await Promise.all([FindingsPlace, FailPlace, DataPlace, SpecPlace].map((place) => place.load()))
}
