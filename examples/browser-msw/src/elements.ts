/** Finds an element that the page must have. */
export function find<Kind extends Element = HTMLElement>(
  selector: string,
  within: ParentNode = document,
): Kind {
  const element = within.querySelector<Kind>(selector)
  if (element === null) throw new Error(`Cannot find ${selector} in the page`)
  return element
}

/** Writes text into the element of `within` that is marked as this part. */
export function write(part: string, text: string, within: ParentNode): void {
  find(`[data-part="${part}"]`, within).textContent = text
}

/** Lets a dialog be closed by its button, and by a click beside it. */
export function makeClosable(dialog: HTMLDialogElement): void {
  find('.close', dialog).addEventListener('click', () => dialog.close())
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
  })
}
