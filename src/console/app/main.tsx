import { render } from 'preact'
import { Root } from './root.tsx'

const place = document.getElementById('app')
if (place !== null) {
  const { file } = document.documentElement.dataset
  render(<Root origin={location.origin} file={file} />, place)
}
