import { useToasterStore } from 'react-hot-toast'

/** The texts of the toasts; their look needs a browser. */
export function Told() {
  return useToasterStore().toasts.map(
    ({ id, visible, message }) => visible && <p key={id}>{typeof message === 'string' && message}</p>
  )
}
