import { useState } from 'preact/hooks'
import { operationNames } from '../../contract/endpoints.ts'
import { mapTable } from '../../input/record.ts'
import { useConsole } from '../live/console-context.ts'
import {
  type FaultDraft,
  faultNamed,
  faultNames,
  faultOf,
  faultTexts,
} from '../model/situations/fault-texts.ts'
import { Field, Form } from '../parts/controls/field.tsx'
import { FormActions } from '../parts/controls/form-actions.tsx'
import { TextField } from '../parts/controls/text-field.tsx'
import { type FormAction, useForm } from '../parts/controls/use-form.ts'

interface FaultFormProps {
  readonly first: FaultDraft
  /** Called when the fault is added, and when nobody wants it any more. */
  readonly onDone: () => void
}

/** What is typed, each refused under its name. */
const typed = {
  status: { label: 'Status', hint: 'From 400 to 599' },
  retryAfter: { label: 'Retry-After', hint: 'A duration, such as 30s; empty for none' },
  ms: { label: 'How long', hint: 'A duration, such as 500ms or 2s' },
  method: { label: 'Method', hint: 'Such as GET; empty for all' },
  after: { label: 'After', hint: 'How many of these requests pass first' },
  times: { label: 'How many times', hint: 'Empty for every time' },
  probability: { label: 'Probability', hint: 'From 0 to 1; empty for each of them' },
} as const

type Typed = keyof typeof typed

const places = mapTable(typed, (name) => name)

/** Describes a fault, of any kind, and adds it. */
export function FaultForm({ first, onDone }: FaultFormProps) {
  const { store } = useConsole()
  const [draft, setDraft] = useState(first)
  const { send, errors } = useForm<Typed>(places)
  const change = (changes: Partial<FaultDraft>): void => setDraft({ ...draft, ...changes })
  const part = { draft, change, errors }
  const submit = async (): Promise<void> => {
    const isAdded = await send(
      ({ faults }) => faults.add(faultOf(draft)),
      'The fault waits for its request',
    )
    if (isAdded) onDone()
  }
  return (
    <Form label="Fault" onSubmit={() => void submit()} error={errors.get('form')}>
      <Field label="What goes wrong">
        {(input) => (
          <select
            {...input}
            value={draft.fault}
            onChange={({ currentTarget: { value } }) =>
              change({ fault: faultNamed(value) ?? draft.fault })
            }
          >
            {faultNames.map((name) => (
              <option key={name} value={name}>
                {name}: {faultTexts[name].about}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Settings {...part} />
      <div class="fields">
        <Field label="Operation">
          {(input) => (
            <select
              {...input}
              value={draft.operation ?? ''}
              onChange={({ currentTarget: { value } }) =>
                change({ operation: operationNames.find((name) => name === value) })
              }
            >
              <Choices names={operationNames} />
            </select>
          )}
        </Field>
        <TypedField {...part} name="method" />
        <Field label="Key">
          {(input) => (
            <select
              {...input}
              value={draft.key}
              onChange={({ currentTarget }) => change({ key: currentTarget.value })}
            >
              <Choices names={store.keys.value.map(({ key }) => key)} />
            </select>
          )}
        </Field>
      </div>
      <div class="fields">
        <TypedField {...part} name="after" />
        <TypedField {...part} name="times" />
        <TypedField {...part} name="probability" />
      </div>
      <FormActions verb="Add the fault" onCancel={onDone} />
    </Form>
  )
}

/** All of them, or one. */
function Choices({ names }: { readonly names: readonly string[] }) {
  return ['', ...names].map((name) => (
    <option key={name} value={name}>
      {name || 'all'}
    </option>
  ))
}

interface PartProps {
  readonly draft: FaultDraft
  readonly change: (changes: Partial<FaultDraft>) => void
  readonly errors: FormAction<Typed>['errors']
}

function TypedField({ draft, change, errors, name, also = '' }: PartProps & FieldName) {
  const { label, hint } = typed[name]
  return (
    <TextField
      label={label}
      hint={`${hint}${also}`}
      error={errors.get(name)}
      value={draft[name]}
      onChange={(text) => change({ [name]: text })}
    />
  )
}

interface FieldName {
  readonly name: Typed
  /** More of its hint. */
  readonly also?: string
}

/** What the kind of the fault asks for, if anything. */
function Settings(part: PartProps) {
  switch (faultTexts[part.draft.fault].setting) {
    case 'status':
      return (
        <div class="fields">
          <TypedField {...part} name="status" />
          <TypedField {...part} name="retryAfter" />
        </div>
      )
    case 'range':
      return <TypedField {...part} name="ms" also=", or a range: 1s-3s" />
    case 'ms':
      return <TypedField {...part} name="ms" />
    case 'when':
      return <WhenField {...part} />
    default:
      return null
  }
}

function WhenField({ draft, change }: PartProps) {
  return (
    <Field label="When">
      {(input) => (
        <select
          {...input}
          value={draft.when}
          onChange={({ currentTarget: { value } }) =>
            change({ when: value === 'body' ? 'body' : 'before' })
          }
        >
          <option value="before">before the reply</option>
          <option value="body">in the middle of its body</option>
        </select>
      )}
    </Field>
  )
}
