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
