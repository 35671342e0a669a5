import { type ComponentChildren, render } from 'preact'
import { afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Confirm } from '../../../src/console/parts/dialog.tsx'
import { Boundary } from '../../../src/console/parts/display.tsx'
import { type Column, Table } from '../../../src/console/parts/table.tsx'

function show(content: ComponentChildren): void {
  render(content, document.body)
}

afterEach(() => render(null, document.body))

interface Row {
  readonly id: number
  readonly text: string | undefined
}

describe('Table', () => {
  const columns: readonly Column<Row>[] = [
    { name: 'id', title: '#', isHeader: true, cell: ({ id }) => id },
    {
      name: 'text',
      title: 'Text',
      cell: ({ text }) => {
        if (text === undefined) throw new TypeError('no text')
        return text
      },
    },
  ]

  function showRows(rows: readonly Row[]): void {
    show(<Table caption="Rows" columns={columns} rows={rows} keyOf={({ id }) => id} />)
  }

  it('shows markup as text, and the others where one row fails', async () => {
    showRows([
      { id: 1, text: '<img src=x onerror="alert(1)">' },
      { id: 2, text: undefined },
      { id: 3, text: 'three' },
    ])
    await expect.element(page.getByRole('cell', { name: /^<img src=x/ })).toBeVisible()
    await expect.element(page.getByText(/^Cannot show this row/)).toBeVisible()
    await expect.element(page.getByText('three')).toBeVisible()
    expect(document.querySelector('img')).toBe(null)
  })
})

describe('Boundary', () => {
  it('keeps an error within its part', async () => {
    const Broken = (): never => {
      throw new TypeError('no such key')
    }
    show(
      <>
        <Boundary what="the keys">
          <Broken />
        </Boundary>
        <p>still here</p>
      </>,
    )
    await expect.element(page.getByText(/^Cannot show the keys: .*newer version/)).toBeVisible()
    await expect.element(page.getByText('still here')).toBeVisible()
  })
})

describe('Confirm', () => {
  it('does nothing when it is closed with Escape, and gives the focus back', async () => {
    const said: string[] = []
    const before = (
      <button key="before" type="button">
        before
      </button>
    )
    show([before])
    document.querySelector('button')?.focus()
    show(
      <>
        {before}
        <Confirm
          title="Reset"
          text="Everything goes."
          verb="Reset it"
          onConfirm={() => said.push('confirmed')}
          onClose={() => said.push('closed')}
        />
      </>,
    )
    await expect.element(page.getByRole('dialog', { name: 'Reset' })).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => said).toEqual(['closed'])
    show([before])
    await expect.element(page.getByRole('button', { name: 'before' })).toHaveFocus()
  })
})
