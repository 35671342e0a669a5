import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** A component that is loaded on its first render, or earlier by `load()`. */
export type LaterComponent<Props> = ComponentType<Props> & {
  /** Loads the component now. */
  load(): Promise<void>
}

/** Creates a component that is loaded on demand. */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LaterComponent<Props> {
  let loaded: ComponentType<Props> | undefined
  const loadOnce = async (): Promise<void> => {
    loaded ??= await load()
  }
  const Later = (props: Props) => {
    const [isLoaded, setIsLoaded] = useState(loaded !== undefined)
    // Others may have loaded it meanwhile.
    useEffect(() => {
      if (!isLoaded) void loadOnce().then(() => setIsLoaded(true))
    }, [])
    const View = loaded
    return View === undefined ? null : <View {...props} />
  }
  return Object.assign(Later, { load: loadOnce })
}
