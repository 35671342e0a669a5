/** Resolves once the browser has painted what the page shows now; at once for a page that nobody sees, which it doesn't. */
export async function painted(): Promise<void> {
  if (document.visibilityState === 'visible') {
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
  await new Promise((resolve) => setTimeout(resolve))
}
