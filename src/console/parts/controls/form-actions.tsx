import { Button } from './button.tsx'

interface FormActionsProps {
  /** What the button says that sends the form, such as `Issue it`. */
  readonly verb: string
  readonly onCancel: () => void
}

/** The buttons below a form: one sends it, one leaves it. */
export function FormActions({ verb, onCancel }: FormActionsProps) {
  return (
    <div class="actions">
      <Button kind="primary" type="submit">
        {verb}
      </Button>
      <Button onClick={onCancel}>Cancel</Button>
    </div>
  )
}
