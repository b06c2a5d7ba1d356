import type { toast as Toast } from 'react-hot-toast'

/** The library is not of the first paint: it comes with the toaster (`app.tsx`). Without it there is nothing to say it with. */
const say = (show: (toast: typeof Toast) => unknown) =>
  void import('react-hot-toast').then(
    ({ toast }) => show(toast),
    () => null
  )

/** Equal words are one toast, however often they are said. */
const options = (message: string, id = message) => ({ id })

/** Errors interrupt a screen reader. Said with each toast: the library lets its own default win over the Toaster's. */
const interrupting = { role: 'alert', 'aria-live': 'assertive' } as const

/** The specification's "alerts": toasts, which say the same and do not stop everything. The same `id` replaces the former. */
export const notify = {
  error: (message: string, id?: string) =>
    say((toast) => toast.error(message, { ...options(message, id), ariaProps: interrupting })),
  success: (message: string, id?: string) => say((toast) => toast.success(message, options(message, id))),
  info: (message: string, id?: string) => say((toast) => toast(message, options(message, id)))
}
