import { useLayoutEffect, useRef } from 'preact/hooks'

/**
 * Returns a ref for the heading of details, which takes the focus when they appear, unless the user is elsewhere: in a
 * form beside them, or in the page around a panel.
 */
export function useFocusOnMount() {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    const place = heading.current?.closest('.requests-place') ?? null
    const root = heading.current?.getRootNode()
    const active =
      root instanceof Document || root instanceof ShadowRoot ? root.activeElement : null
    if (active?.contains(place) || place?.contains(active)) heading.current?.focus()
  }, [])
  return heading
}
