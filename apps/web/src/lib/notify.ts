import type { toast as Toast } from 'react-hot-toast'

/** The library is loaded with the toaster (`app.tsx`), not with the first page. If it fails to load, no toast can be shown. */
const say = (show: (toast: typeof Toast) => unknown) =>
  void import('react-hot-toast').then(
    ({ toast }) => show(toast),
    () => null
  )

/** Equal messages share one toast, however often they are sent. */
const options = (message: string, id = message) => ({ id })

/** Errors interrupt a screen reader. Set on each toast, as the library's default wins over the Toaster's options. */
const interrupting = { role: 'alert', 'aria-live': 'assertive' } as const

/**
 * The specification's "alerts", as toasts: the same texts without blocking the page. An equal `id` replaces the former
 * toast.
 */
export const notify = {
  error: (message: string, id?: string) =>
    say((toast) => toast.error(message, { ...options(message, id), ariaProps: interrupting })),
  success: (message: string, id?: string) => say((toast) => toast.success(message, options(message, id))),
  info: (message: string, id?: string) => say((toast) => toast(message, options(message, id))),
  /** Stays until it is dismissed. */
  running: (message: string, id: string) => say((toast) => toast.loading(message, { id })),
  /** Takes away a toast that is not true any more. */
  dismiss: (id: string) => say((toast) => toast.dismiss(id))
}
