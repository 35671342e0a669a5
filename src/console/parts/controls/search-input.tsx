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
