import { Toaster as Base } from 'react-hot-toast'

/**
 * Where toasts appear. The library's defaults are the specified ones: 4 s for blank, error and custom, 2 s for success,
 * loading unlimited, at most 20 held. How a screen reader is told of them is in lib/notify.
 */
export function Toaster() {
  return (
    <Base
      position="top-center"
      containerClassName="toasts"
      toastOptions={{
        // Inline, because the library writes its own styles after ours.
        style: {
          maxWidth: '26rem',
          border: '1px solid var(--line)',
          borderRadius: 16,
          background: 'var(--raised)',
          color: 'var(--ink)',
          boxShadow: 'var(--shadow-float)',
          fontWeight: 500
        },
        error: { iconTheme: { primary: 'var(--danger)', secondary: 'var(--raised)' } },
        success: { iconTheme: { primary: 'var(--ok)', secondary: 'var(--raised)' } }
      }}
    />
  )
}
