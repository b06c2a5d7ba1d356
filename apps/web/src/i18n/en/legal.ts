export const messages = {
  'privacy.title': 'Privacy Policy',
  'privacy.effective': 'Effective July 25, 2025',
  'privacy.intro':
    '{brand} is made by {company}. This page says which data the product keeps about you, what for, and what you can do about it.',
  'privacy.collect': 'What we collect',
  'privacy.collect.account':
    'Account: your name, your email, and a hashed password. Nobody can read the password, we neither.',
  'privacy.collect.device': 'Devices: names, ids, switch states, schedules, rooms and logs of your boards.',
  'privacy.collect.technical':
    'Technical: IP address, operating system and browser, to keep strangers out and to find faults.',
  'privacy.optional':
    'Phone number, address and picture are kept when you give them. The Wi-Fi password of a board is stored encrypted.',
  'privacy.use': 'What we use it for',
  'privacy.use.run': 'To switch what you ask us to switch, at the time you ask for, and to show you what is on.',
  'privacy.use.live': 'Push notifications and live updates over a socket tell you at once what changed at home.',
  'privacy.use.safe':
    'To protect your account: codes by email or text message, limits on wrong passwords, a list of logged-in places.',
  'privacy.share': 'Who else sees it',
  'privacy.share.never': 'Your data is not sold. It is given to nobody for advertising.',
  'privacy.share.staff':
    'Staff with the right permission see devices and logs to help you; what they switch appears in your logs with their name.',
  'privacy.rights': 'What you can do',
  'privacy.rights.view': 'View and update your account in your profile at any time.',
  'privacy.rights.delete':
    'Request deletion: Delete Account in your profile erases your rooms, schedules, favorites and sessions at once, unpairs your boards, and takes your name out of the logs. A record of changes to accounts stays for 400 days: only admins read it, and nobody can alter it.',
  'privacy.rights.logs': 'Clear your logs yourself. Otherwise they are kept for 180 days.',
  'privacy.children': 'Children',
  'privacy.children.body':
    'The service is not for children under 13. An account of a child under 13 is deleted when we learn of it.',
  'privacy.changes': 'Changes and questions',
  'privacy.changes.body': 'When this policy changes, the new one appears here with its date. Questions: {email}.',
  'terms.title': 'Terms & Conditions',
  'terms.intro': 'By using {brand} you accept these terms of {company}. They are short on purpose.',
  'terms.account': 'Your account',
  'terms.account.body':
    'You are responsible for your account and for what is switched with it. Keep your password to yourself, keep your email and phone up to date, and log out places that you do not know.',
  'terms.use': 'Using the devices',
  'terms.use.body':
    'Have boards installed by somebody qualified, within the load printed on them. Do not rely on a smart switch alone where a failure could hurt somebody: heaters, medical equipment and alarms need a switch of their own.',
  'terms.prohibited': 'What is not allowed',
  'terms.prohibited.reverse': 'Reverse engineering the product or its firmware.',
  'terms.prohibited.illegal': 'Using it for anything illegal, or on devices that are not yours.',
  'terms.prohibited.overload': 'Overloading the servers or getting around their limits.',
  'terms.updates': 'Updates',
  'terms.updates.body':
    'Apps, servers and boards are updated to fix faults and to stay safe. Some updates are needed for the product to go on working.',
  'terms.property': 'Intellectual property',
  'terms.property.body': 'Software, design, name and mark belong to {company}. Your data stays yours.',
  'terms.liability': 'Liability',
  'terms.liability.body':
    'The product is provided as it is. As far as the law allows, {company} is not liable for loss that follows from a power cut, a lost connection, wrong wiring or misuse, and in no case for more than you paid for the device concerned.',
  'terms.suspension': 'Suspension and deletion',
  'terms.suspension.body':
    'Accounts that violate these terms may be suspended or deleted. We say why, and you may object.',
  'terms.law': 'Governing law',
  'terms.law.body': 'These terms are governed by the law of Nepal. Disputes go to the courts of {district} District.',
  'legal.contents': 'On this page'
} as const
