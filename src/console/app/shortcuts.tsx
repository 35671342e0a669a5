import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { Dialog, useDialog } from '../parts/dialog.tsx'

/** Keys with their effects. */
const keys = [
  ['/', 'Search'],
  ['j', 'Next row'],
  ['k', 'Previous row'],
  ['Esc', 'Close the details'],
  ['?', 'This list'],
] as const

const stored = 'petstore-console keys'

/** Handles the keyboard shortcuts, unless they are turned off; returns a function that opens their list. */
export function useShortcuts() {
  const { dialog, open } = useDialog()
  const [isOn, setOn] = useState(() => localStorage.getItem(stored) !== 'off')
  const toggle = (): void => {
    localStorage.setItem(stored, isOn ? 'off' : 'on')
    setOn(!isOn)
  }
  const openKeys = (): void =>
    open((close) => <KeyList isOn={isOn} onToggle={toggle} onClose={close} />)
  const act = useRef<(event: KeyboardEvent) => void>(() => {})
  act.current = (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event
    const isOpen = document.querySelector('dialog[open]') !== null
    const isTyping = target instanceof Element && target.closest('input, select, textarea') !== null
    if (!isOn || ctrlKey || metaKey || altKey || isTyping || isOpen) return
    if (key === '/') {
      event.preventDefault()
      document.querySelector<HTMLElement>('main [type="search"]')?.focus()
    } else if (key === '?') openKeys()
    else if (key === 'j' || key === 'k') move(key === 'j' ? 1 : -1)
  }
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => act.current(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return { dialog, openKeys }
}

/** Opens the next or previous request if the details are open; otherwise focuses the next or previous row's link. */
function move(by: 1 | -1): void {
  const step = document.querySelector<HTMLElement>(`.details [rel="${by === 1 ? 'next' : 'prev'}"]`)
  if (step !== null) {
    step.click()
    return
  }
  const links = [...document.querySelectorAll<HTMLElement>('main tbody th a')]
  const at = links.findIndex((link) => link.matches(':focus'))
  links[at < 0 ? 0 : Math.min(Math.max(at + by, 0), links.length - 1)]?.focus()
}

interface KeyListProps {
  readonly isOn: boolean
  readonly onToggle: () => void
  readonly onClose: () => void
}

function KeyList({ isOn, onToggle, onClose }: KeyListProps) {
  const [isShownOn, setShownOn] = useState(isOn)
  return (
    <Dialog title="Keyboard" onClose={onClose}>
      <dl class="facts keyboard">
        {keys.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <Button
        pressed={isShownOn}
        onClick={() => {
          onToggle()
          setShownOn(!isShownOn)
        }}
      >
        Single keys {isShownOn ? 'on' : 'off'}
      </Button>
    </Dialog>
  )
}
