import { useToasterStore } from 'react-hot-toast'

/** Shows the texts of the toasts; their look needs a browser. */
export function ToastTexts() {
  return useToasterStore().toasts.map(
    ({ id, visible, message }) => visible && <p key={id}>{typeof message === 'string' && message}</p>
  )
}
