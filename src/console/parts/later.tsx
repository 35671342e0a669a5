import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** Makes a component of one that is loaded when it is first shown: in a panel, seldom at once. */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  return (props) => {
    const [View, setView] = useState<ComponentType<Props> | undefined>(undefined)
    useEffect(() => void load().then((loaded) => setView(() => loaded)), [])
    return View === undefined ? null : <View {...props} />
  }
}
