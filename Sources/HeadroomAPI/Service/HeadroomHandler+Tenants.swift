import Requests
import Pipeline

/// The limits of tenants.
extension HeadroomHandler {
    /// Takes one request of the grant's tenant, if it has one.
    ///
    /// - Throws: A ``Problem`` with status 429 when the tenant has used its allowance.
    func takeAllowance(_ grant: Grant) async throws(Problem) {
        guard let tenant = grant.tenant, let refusal = await tenants.admit(tenant) else { return }
        throw Problem(refusal)
    }

    /// Checks whether the grant's tenant has allowance left, as far as this process knows, and takes nothing.
    ///
    /// - Throws: A ``Problem`` with status 429.
    func checkAllowance(_ grant: Grant) throws(Problem) {
        guard let tenant = grant.tenant, let refusal = tenants.refusal(of: tenant) else { return }
        throw Problem(refusal)
    }

    /// What the jobs of a request may use.
    func jobTerms(_ grant: Grant) -> JobTerms {
        var terms = JobTerms()
        guard let tenant = grant.tenant else { return terms }
        let ledger = tenants
        terms.maxPixels = tenant.pixelLimit
        terms.charge = { ledger.charge($0, to: tenant) }
        if tenant.processorLimit != nil {
            terms.pause = { ledger.processorPause(of: tenant) }
        }
        return terms
    }
}
