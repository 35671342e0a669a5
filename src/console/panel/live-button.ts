import { keep, readKept } from './panel-memory.ts'
import { currentScenario, goToNext, type ScenarioWalk } from './scenario-walk.ts'

/** Interval at which the button updates its count, in milliseconds. */
const tickMs = 500

/** Mean length of a year, in milliseconds. */
const yearMs = 31_557_600_000

const badgeStyle = `
  position: absolute; inset: -4px -4px auto auto; min-width: 18px; padding: 0 4px; border-radius: 9px;
  background: #b02318; color: #fff; font-size: 11px; line-height: 18px`

/** Moves a new panel to its remembered corner, and logs how to open it; returns whether the panel was open. */
export function restore(frame: HTMLElement): boolean {
  if (frame.dataset.restored === '') return false
  frame.dataset.restored = ''
  // biome-ignore lint/suspicious/noConsole: developers find the hint there
  console.info(
    'petstore-sandbox: open the panel with the paw in the corner, or Alt+Shift+P; Alt+Shift+N is the next scenario',
  )
  const { corner, open = false } = readKept()
  if (corner !== undefined) frame.className = corner
  return open
}

/**
 * Shows a badge with errors and findings on the button, lets the user drag it to another corner, and listens to keys;
 * returns a function that undoes all three.
 */
export function enlivenButton(walk: ScenarioWalk, button: HTMLButtonElement): () => void {
  const badge = document.createElement('span')
  badge.style.cssText = badgeStyle
  badge.hidden = true
  button.append(badge)
  const count = counterOf(walk)
  const show = (): void => {
    const { text, parts } = count()
    badge.textContent = text
    badge.hidden = text === ''
    // The accessible name includes the count that the badge shows.
    button.title = ['Sandbox panel', ...parts].join(', ')
    button.ariaLabel = button.title
  }
  show()
  const ticking = setInterval(show, tickMs)
  const endDrags = letDrag(button, walk.frame)
  const endKeys = listenToKeys(walk, button)
  return () => {
    endKeys()
    clearInterval(ticking)
    endDrags()
    badge.remove()
  }
}

/** Opens or closes the panel by Alt+Shift+P, and goes to the next scenario by Alt+Shift+N. */
export function listenToKeys(walk: ScenarioWalk, button?: HTMLButtonElement): () => void {
  const onKey = (event: KeyboardEvent): void => {
    const { altKey, shiftKey, code } = event
    if (!altKey || !shiftKey || (code !== 'KeyP' && code !== 'KeyN')) return
    // On some systems, they would type a character.
    event.preventDefault()
    if (code === 'KeyP') button?.click()
    else goToNext(walk)
  }
  // Captured, since the panel keeps its own events.
  addEventListener('keydown', onKey, { capture: true })
  return () => removeEventListener('keydown', onKey, { capture: true })
}

/**
 * Creates a function that counts error responses and findings, and reports a scenario and a clock that differs from the
 * system time.
 */
function counterOf(walk: ScenarioWalk) {
  const { requests, clock, resultSoFar, scenarios } = walk.sandbox
  let lastId = 0
  let errors = 0
  return () => {
    const { id } = requests.position
    if (id < lastId) errors = 0
    if (id > lastId) {
      const come = requests.list({ afterId: lastId, bodies: false })
      errors += come.filter(({ outcome }) => !('status' in outcome && outcome.status < 400)).length
    }
    lastId = id
    const found = resultSoFar()?.findings.length ?? 0
    const shiftMs = clock.now() - Date.now()
    const years = Math.round(shiftMs / yearMs)
    const isMoved = Math.abs(shiftMs) > 60_000
    const scenario = currentScenario(scenarios(), walk)
    return {
      text: String(errors + found || (isMoved ? '◷' : '')),
      parts: [
        errors > 0 && found > 0 ? `${errors + found} in all` : '',
        errors > 0 ? counted(errors, 'error response') : '',
        found > 0 ? counted(found, 'finding') : '',
        scenario === undefined ? '' : `scenario ${scenario.name}`,
        isMoved ? `clock ${years === 0 ? 'moved' : `${years} y`}` : '',
      ].filter(Boolean),
    }
  }
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Lets the user drag a button to another corner, which is remembered. */
function letDrag(button: HTMLButtonElement, frame: HTMLElement): () => void {
  let hasMoved = false
  // A click at the end of a drag must not open the panel.
  const onClick = (event: MouseEvent): void => {
    if (hasMoved) event.stopImmediatePropagation()
    hasMoved = false
  }
  button.addEventListener('click', onClick, { capture: true })
  button.onpointerdown = ({ clientX, clientY, pointerId }) => {
    hasMoved = false
    // Keeps receiving events when a fast drag leaves the button.
    button.setPointerCapture(pointerId)
    button.onpointermove = (event) => {
      const [x, y] = [event.clientX - clientX, event.clientY - clientY]
      if (Math.hypot(x, y) < 6) return
      hasMoved = true
      button.style.translate = `${x}px ${y}px`
    }
    button.onpointerup = (event) => {
      button.onpointermove = null
      button.style.translate = ''
      if (!hasMoved) return
      const side = event.clientX > innerWidth / 2 ? 'right' : 'left'
      const corner = `${event.clientY > innerHeight / 2 ? 'bottom' : 'top'}-${side}`
      frame.className = corner
      keep({ corner })
    }
  }
  return () => {
    button.removeEventListener('click', onClick, { capture: true })
    button.onpointerdown = null
  }
}

/** Shows the reason why the panel can't be opened in its place; returns the error to throw. */
export function showFailure(frame: HTMLElement, error: unknown): Error {
  const reason = Object.isFrozen(Object.prototype)
    ? "the page has frozen JavaScript's prototypes"
    : String(error)
  const why = new Error(`Cannot open the panel: ${reason}`, { cause: error })
  frame.querySelector('.failure')?.remove()
  const failure = document.createElement('p')
  failure.className = 'failure'
  failure.role = 'alert'
  failure.style.cssText = 'max-width: 320px; padding: 0 12px; background: Canvas'
  failure.textContent = why.message
  frame.append(failure)
  return why
}
