/**
 * Keeps an element where it can be used, from the next change on: within the page's modal dialog while there is one, which
 * makes all else inert, and at the end of the document otherwise. Returns what ends this.
 */
export function followModals(element: HTMLElement): () => void {
  const observer = new MutationObserver(() => putWhereUsable(element))
  observer.observe(document, { subtree: true, attributeFilter: ['open'] })
  return () => observer.disconnect()
}

/** Puts an element where it can be used now. */
export function putWhereUsable(element: HTMLElement): void {
  const home = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.documentElement
  if (element.parentNode !== home) home.append(element)
}
