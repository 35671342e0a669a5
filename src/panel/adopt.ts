/** Gives a shadow tree a style sheet, in the way that a page's policy (`style-src`) lets pass; returns what takes it back. */
export function adopt(root: ShadowRoot, css: string): () => void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets.push(sheet)
  return () => {
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((one) => one !== sheet)
  }
}
