import places from '../styles/places.css?inline'

/** Adds the styles of all places but *Requests*, after the existing ones as in the console. */
export function addPlaceStyles(root: Node): void {
  if (!(root instanceof ShadowRoot)) return
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(places)
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
}
