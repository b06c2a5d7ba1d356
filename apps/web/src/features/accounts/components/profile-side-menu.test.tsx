import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createTestApp } from '#web/test/test-app.tsx'
import { ProfileSideMenu } from './profile-side-menu.tsx'

test('an action of the open menu moves the focus to its toggle, since it is hidden with the menu', async () => {
  const app = await createTestApp({ areas: ['profile'] })
  const focused: unknown[] = []
  const account = { emailVerification: true, phoneVerification: true } as React.ComponentProps<
    typeof ProfileSideMenu
  >['account']
  app.show(
    <ProfileSideMenu
      account={account}
      sessionsPath="/user/sessions"
      onChoose={() => focused.push(document.activeElement)}
    />
  )
  const toggle = screen.getByRole('button', { expanded: false })
  fireEvent.click(toggle)
  const edit = screen.getByRole('button', { name: 'Edit Profile' })
  edit.focus()
  fireEvent.click(edit)
  expect(focused).toEqual([toggle])
})
