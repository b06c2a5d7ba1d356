import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { useText } from '#web/lib/i18n/use-text.ts'
import { IconButton } from '../icon-button.tsx'
import { TextField, type TextFieldProps } from './text-field.tsx'

/** A password field with a button to show the password. */
export function PasswordField(props: Omit<TextFieldProps, 'type' | 'after'>) {
  const t = useText()
  const [isShown, setShown] = useState(false)
  const label = t(isShown ? 'common.hidePassword' : 'common.showPassword')
  return (
    <TextField
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...props}
      type={isShown ? 'text' : 'password'}
      after={
        <IconButton
          label={label}
          icon={isShown ? <EyeOff size={20} /> : <Eye size={20} />}
          onClick={() => setShown(!isShown)}
        />
      }
    />
  )
}
