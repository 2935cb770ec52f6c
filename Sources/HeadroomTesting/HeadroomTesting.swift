// HeadroomTesting
