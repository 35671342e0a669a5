import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useConsole } from '../../live/console-context.ts'
import { Button } from './button.tsx'

interface ChipsProps<Name extends string> {
  readonly label: string
  readonly choices: Readonly<Record<Name, { readonly label: string; readonly about: string }>>
  readonly names: readonly Name[]
  readonly chosen: readonly Name[]
  readonly onChange: (chosen: readonly Name[]) => void
}

/** Choices of which several can be made, each a button that stays pressed. */
export function Chips<Name extends string>(props: ChipsProps<Name>) {
  const { label, choices, names, chosen, onChange } = props
  return (
    <fieldset class="group">
      <legend class="unseen">{label}</legend>
      {names.map((name) => {
        const isChosen = chosen.includes(name)
        return (
          <button
            key={name}
            type="button"
            class="chip"
            aria-pressed={isChosen}
            title={choices[name].about}
            onClick={() =>
              onChange(isChosen ? chosen.filter((one) => one !== name) : [...chosen, name])
            }
          >
            <span aria-hidden="true">{isChosen ? '✓' : '+'}</span>
            {choices[name].label}
          </button>
        )
      })}
    </fieldset>
  )
}

interface SearchInputProps {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly onInput: (text: string) => void
}

/** A field for what is searched on a screen. */
export function SearchInput({ label, placeholder, value, onInput }: SearchInputProps) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={placeholder}
      value={value}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  )
}

/** Puts the focus on the search of the screen, for when what had it is gone. */
export function focusSearch(root: ParentNode): void {
  root.querySelector<HTMLElement>('[type="search"]')?.focus()
}

/**
 * Returns what changes by itself, or what it was when it was paused; and the button for that.
 *
 * @param pausedText What the button says while it is paused.
 */
export function usePause<Value>(
  live: Value,
  pausedText: (held: Value) => string = () => 'Pause',
): {
  readonly shown: Value
  readonly pause: ComponentChildren
} {
  const [held, setHeld] = useState<{ readonly value: Value } | undefined>(undefined)
  // A file stays as it is.
  const pause =
    useConsole().file !== undefined ? null : (
      <Button
        pressed={held !== undefined}
        about="Stop the page from changing"
        onClick={() => setHeld(held === undefined ? { value: live } : undefined)}
      >
        {held === undefined ? 'Pause' : pausedText(held.value)}
      </Button>
    )
  return { shown: held === undefined ? live : held.value, pause }
}
