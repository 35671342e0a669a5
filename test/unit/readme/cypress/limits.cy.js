beforeEach(() => {
  cy.task('reset')
})

it('works again after a minute', () => {
  cy.task('exhaust', 'free-key')
  cy.visit('/')
  cy.contains('Too many requests')
  cy.task('advance', '1m')
  cy.contains('Try again').click()
  cy.contains('20 pets')
})
