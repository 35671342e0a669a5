import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** A component that is loaded when it is first shown, or before. */
export type LaterComponent<Props> = ComponentType<Props> & {
  /** Loads it now. */
  load(): Promise<void>
}

/** Makes a component of one that is loaded later. */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LaterComponent<Props> {
  let loaded: ComponentType<Props> | undefined
  const loadOnce = async (): Promise<void> => {
    loaded ??= await load()
  }
  const Later = (props: Props) => {
    const [, setIsLoaded] = useState(loaded !== undefined)
    useEffect(() => {
      if (loaded === undefined) void loadOnce().then(() => setIsLoaded(true))
    }, [])
    const View = loaded
    return View === undefined ? null : <View {...props} />
  }
  return Object.assign(Later, { load: loadOnce })
}
