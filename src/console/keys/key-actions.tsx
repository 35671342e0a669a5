import { useState } from 'preact/hooks'
import { type Plan, plans } from '../../contract/plans.ts'
import type { KeyChange } from '../../control/keys.ts'
import { namesOf } from '../../input/record.ts'
import type { NewKey } from '../../state/keys.ts'
import { useConsole } from '../live/console-context.ts'
import type { KeyView } from '../live/live-store.ts'
import { useAction } from '../live/use-client.ts'
import { CopyButton } from '../parts/controls/button.tsx'
import { DataForm, Select, TextInput } from '../parts/controls/data-form.tsx'
import { Dialog, useDialog } from '../parts/controls/dialog.tsx'
import { focusSearch } from '../parts/controls/filters.tsx'
import { Menu, MenuButton, type MenuItem, Popover } from '../parts/controls/popover.tsx'

/** Something that one click does to a key: what its button says, what is so afterwards, and the change. */
type KeyAction = readonly [text: string, about: string, change: KeyChange]

const bans: readonly KeyAction[] = ['1m', '5m', '10m', '1h'].map((ban) => [
  ban.replace(/(\d+)/, '$1 '),
  `Banned for ${ban}`,
  { ban },
])

const pardon: KeyAction = ['Pardon', 'No ban, and no refusals', { pardon: true }]

/** What changes how many requests a key has left (spec 8). */
function quotaActions({ limits }: KeyView): readonly KeyAction[] {
  return [
    ['Use up minute', 'No request left in this minute', { remaining: { minute: 0 } }],
    ['Use up day', 'No request left in this day', { remaining: { day: 0 } }],
    ['Leave one request', 'One request left in this minute', { remaining: { minute: 1 } }],
    ['Refill', 'Both windows as if nothing had been asked', { remaining: limits }],
  ]
}

/** What changes whether a key is served, and what takes that back (spec 5). */
function standingActions({ state }: KeyView, now: number): readonly KeyAction[] {
  return [
    state === 'expired'
      ? ['Renew', 'Never expires', { expiresAt: null }]
      : ['Expire', 'Expired from now on', { expiresAt: now }],
    state === 'revoked'
      ? ['Reinstate', 'No longer revoked', { revoked: false }]
      : ['Revoke', 'Revoked: 401 from now on', { revoked: true }],
  ]
}

/** What can be done to a key: its bans, what it has left, and the rest. */
export function KeyActions({ view }: { readonly view: KeyView }) {
  const { key, plan, state } = view
  const { store, root } = useConsole()
  const { run } = useAction()
  const { dialog, open, confirm } = useDialog()
  const remove = async (): Promise<void> => {
    if (await run(({ keys }) => keys.delete(key), `${key} is deleted`)) focusSearch(root)
  }
  const itemOf = ([text, about, change]: KeyAction): MenuItem => [
    text,
    () => void run(({ keys }) => keys.change(key, change), `${key}: ${about}`),
    about,
  ]
  const more: readonly MenuItem[] = [
    ...standingActions(view, store.time.now.peek() ?? 0).map(itemOf),
    ['Limits…', () => open((close) => <LimitsDialog view={view} plan={plan} onClose={close} />)],
    [
      'Delete…',
      () =>
        confirm({
          title: `Delete ${key}`,
          text: 'Its requests get 401 from then on, and what it has used is forgotten.',
          verb: 'Delete',
          onConfirm: () => void remove(),
        }),
    ],
  ]
  return (
    <fieldset class="group">
      <legend class="unseen">Change {key}</legend>
      {/* With keys, or an open menu would be taken for another one once there is one more. */}
      {state === 'banned' ? (
        <MenuButton item={itemOf(pardon)} />
      ) : (
        <Popover key="ban" text="Ban ▾" label="Ban">
          {(close) => (
            <div class="stack">
              <div class="group">
                {bans.map((ban) => (
                  <MenuButton key={ban[0]} item={itemOf(ban)} close={close} />
                ))}
              </div>
              <DataForm
                label="Ban"
                verb="Ban it"
                done={`${key} is banned`}
                send={({ keys }, { ban = '' }) => keys.change(key, { ban })}
                onDone={close}
              >
                <TextInput name="ban" label="For" hint="Such as 90s, 30m or 2h" required />
              </DataForm>
            </div>
          )}
        </Popover>
      )}
      <Menu key="use-up" text="Use up ▾" label="Use up" items={quotaActions(view).map(itemOf)} />
      <Menu key="more" text="⋯" label="More" items={more}>
        <CopyButton what="Authorization" text={() => `Authorization: Bearer ${key}`} />
      </Menu>
      {dialog}
    </fieldset>
  )
}

/** The plan of a key; the one without limits of its own asks for them. */
export function PlanChoice({ view }: { readonly view: KeyView }) {
  const { key, plan } = view
  const { run } = useAction()
  const { dialog, open } = useDialog()
  return (
    <>
      <select
        aria-label="Plan"
        value={plan}
        onChange={({ currentTarget: { value } }) => {
          const next = planNames.find((name) => name === value) ?? plan
          if (plans[next] === 'custom') {
            open((close) => <LimitsDialog view={view} plan={next} onClose={close} />)
          } else {
            const done = `${key} is on the plan ${next}`
            void run(({ keys }) => keys.change(key, { plan: next }), done)
          }
        }}
      >
        {planNames.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      {dialog}
    </>
  )
}

/** The plans, as a select has them. */
const planNames: readonly Plan[] = namesOf(plans)

/** Issues a key. */
export function IssueDialog({ onClose }: { readonly onClose: () => void }) {
  const [plan, setPlan] = useState('free')
  const hasOwn = planNames.some((name) => name === plan && plans[name] === 'custom')
  return (
    <Dialog title="Issue a key" onClose={onClose}>
      <DataForm<NewKey>
        label="Key"
        verb="Issue it"
        done="The key is issued"
        send={({ keys }, key) => keys.issue(key)}
        onClose={onClose}
      >
        <TextInput name="key" label="Key" hint="Empty for a random one" />
        <Select name="plan" label="Plan" options={planNames} value="free" onChange={setPlan} />
        <LimitsFields hint={hasOwn ? 'This plan has none of its own' : "Empty for the plan's"} />
        <TextInput
          name="expiresAt"
          label="Expires at"
          hint="Such as 2030-12-05T00:00:00Z; empty for never"
        />
      </DataForm>
    </Dialog>
  )
}

interface LimitsDialogProps {
  readonly view: KeyView
  /** The plan that it gets with them. */
  readonly plan: Plan
  readonly onClose: () => void
}

/** Gives a key limits of its own. */
function LimitsDialog({ view: { key, limits }, plan, onClose }: LimitsDialogProps) {
  return (
    <Dialog title={`Limits of ${key}`} onClose={onClose}>
      <DataForm<Pick<KeyChange, 'limits'>>
        label="Limits"
        verb="Set the limits"
        done={`${key} has its own limits`}
        send={({ keys }, limits) => keys.change(key, { plan, ...limits })}
        onClose={onClose}
      >
        <LimitsFields values={limits} hint="Used requests stay used" />
      </DataForm>
    </Dialog>
  )
}

interface LimitsFieldsProps {
  readonly values?: KeyView['limits']
  readonly hint: string
}

/** Two fields for how many requests each window admits. */
function LimitsFields({ values, hint }: LimitsFieldsProps) {
  return (
    <div class="columns fields">
      {(['minute', 'day'] as const).map((name) => (
        <TextInput
          key={name}
          name={`limits.${name}`}
          label={`Requests in a ${name}`}
          hint={hint}
          type="number"
          value={values === undefined ? undefined : String(values[name])}
        />
      ))}
    </div>
  )
}
