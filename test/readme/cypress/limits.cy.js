beforeEach(() => {
  cy.task('reset')
})

it('goes on when the minute is over', () => {
  cy.task('useUp', 'free-key')
  cy.visit('/')
  cy.contains('Too many requests')
  cy.task('advance', '1m')
  cy.contains('Try again').click()
  cy.contains('20 pets')
})
